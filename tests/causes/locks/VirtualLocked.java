import java.util.concurrent.locks.LockSupport;

/** Virtual threads that hold each other up at the door of Locked. Compiled for 17, run on later versions. */
public class VirtualLocked {
    public static void main(String[] args) throws Exception {
        var start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Thread[] threads = new Thread[3];
        Locked.DOOR.lock();
        for (int i = 0; i < threads.length; i++) {
            threads[i] = (Thread) start.invoke(null, (Runnable) Locked::pass);
        }
        // all wait for the door before it opens
        for (Thread t : threads) {
            while (!Locked.DOOR.hasQueuedThread(t)) Thread.sleep(1);
        }
        Locked.DOOR.unlock();
        for (Thread t : threads) t.join();
        System.out.println(Locked.passed);
        Thread waiting = (Thread) start.invoke(null, (Runnable) () -> LockSupport.park(args));
        while (waiting.getState() != Thread.State.WAITING) Thread.sleep(1);
        // nobody unparks it
    }
}
