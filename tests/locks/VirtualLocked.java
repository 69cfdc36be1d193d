import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads that hold each other up. Compiled for 17, run on later versions. */
public class VirtualLocked {
    static final ReentrantLock DOOR = new ReentrantLock();
    static int passed;

    public static void main(String[] args) throws Exception {
        var start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Thread[] threads = new Thread[3];
        DOOR.lock();
        for (int i = 0; i < threads.length; i++) {
            threads[i] = (Thread) start.invoke(null, (Runnable) VirtualLocked::pass);
        }
        // all wait for the door before it opens
        for (Thread t : threads) {
            while (!DOOR.hasQueuedThread(t)) Thread.sleep(1);
        }
        DOOR.unlock();
        for (Thread t : threads) t.join();
        System.out.println(passed);
        Thread waiting = (Thread) start.invoke(null, (Runnable) () -> LockSupport.park(args));
        while (waiting.getState() != Thread.State.WAITING) Thread.sleep(1);
        // nobody unparks it
    }

    static void pass() {
        DOOR.lock();
        try {
            for (int i = 0; i < 20_000; i++) passed += i & 1;
        } finally {
            DOOR.unlock();
        }
    }
}
