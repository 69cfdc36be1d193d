/** A wait whose time is over before what it waits for has come, but only if threads are much slower than that. */
public class LateTimeout {
    static boolean done;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        synchronized (lock) {
            new Thread(() -> {
                synchronized (lock) {
                    done = true;
                    lock.notify();
                }
            }).start();
            lock.wait(60_000);
            if (!done) {
                throw new IllegalStateException("not within a minute");
            }
        }
    }
}
