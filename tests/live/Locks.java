import java.util.concurrent.locks.ReentrantLock;

/** Threads that sleep, wait, park and are blocked, until the process is ended. */
public class Locks {
    static final Object FIRST = new Object();
    static final byte[][] KEPT = new byte[100][10_000];
    static final ReentrantLock LOCK = new ReentrantLock();

    static synchronized void held() throws Exception {
        synchronized (FIRST) {
            LOCK.lock();
            start("blocked", () -> {
                synchronized (FIRST) {
                    System.out.println("never");
                }
            });
            start("parked", LOCK::lock);
            start("waiting", () -> {
                Object o = new StringBuilder();
                synchronized (o) {
                    try {
                        o.wait();
                    } catch (InterruptedException e) {
                        throw new RuntimeException(e);
                    }
                }
            });
            Thread.sleep(200);
            System.out.println("ready");
            Thread.sleep(1_000_000);
        }
    }

    static void start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("told", "a = b\n\u00e9");
        held();
    }
}
