import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;

/** Since 21: virtual threads that nobody knows are collected, but those that hold a monitor. */
public class Unreachable {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        System.setProperty("jdk.trackAllThreads", "false");
        WeakReference<?>[] all = new WeakReference<?>[500];
        for (int i = 0; i < all.length; i++) {
            byte[] own = new byte[100];
            all[i] = new WeakReference<>(own);
            Thread.startVirtualThread(() -> {
                byte[] kept = own;
                LockSupport.park();
                System.out.println("never" + kept.length);
            });
        }
        Thread.sleep(50);
        System.gc();
        int live = 0;
        for (WeakReference<?> one : all) if (one.get() != null) live++;
        System.out.println(live < 100 ? "collected" : "kept " + live);

        Thread waits = Thread.startVirtualThread(LockSupport::park);
        while (waits.getState() != Thread.State.WAITING) Thread.sleep(1);
        System.gc();
        LockSupport.unpark(waits);
        waits.join();
        System.out.println("known ones are not");
    }
}
