/** Thread.stop of threads that wait to enter a monitor: they never run what it guards, and don't keep it. */
@SuppressWarnings("removal")
public class StopBlocked {
    static synchronized void guarded() { System.out.println("guarded"); }
    static void blocked(String what, Object lock, Runnable body) throws Exception {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (ThreadDeath d) {
                System.out.println(what + " " + Thread.holdsLock(lock));
            }
        });
        synchronized (lock) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            t.stop();
            Thread.sleep(20);
        }
        t.join();
        synchronized (lock) { System.out.println(what + " free"); }
    }
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        blocked("block", lock, () -> { synchronized (lock) { System.out.println("in the block"); } });
        blocked("handler", lock, () -> { try { synchronized (lock) { System.out.println("in the block"); } } finally { System.out.println("finally " + Thread.holdsLock(lock)); } });
        blocked("method", StopBlocked.class, StopBlocked::guarded);
        guarded();
    }
}
