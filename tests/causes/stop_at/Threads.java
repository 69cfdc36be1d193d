import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that wait in all ways. */
public class Threads {
    static final Object MONITOR = new Object();
    static final Object SIGNAL = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();
    static volatile boolean done;

    static void start(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        while (t.getState() == Thread.State.NEW || t.getState() == Thread.State.RUNNABLE) {
            Thread.yield();
        }
    }

    static int look() {
        int threads = 5;
        return threads;
    }

    public static void main(String[] args) {
        synchronized (MONITOR) {
            LOCK.lock();
            start("enters", () -> {
                synchronized (MONITOR) {
                    done = true;
                }
            });
            start("waits", () -> {
                synchronized (SIGNAL) {
                    try {
                        SIGNAL.wait();
                    } catch (InterruptedException e) {
                        done = true;
                    }
                }
            });
            start("parks", () -> LockSupport.park(SIGNAL));
            start("locks", LOCK::lock);
            start("sleeps", () -> {
                try {
                    Thread.sleep(1_000_000);
                } catch (InterruptedException e) {
                    done = true;
                }
            });
            System.out.println(look());
        }
    }
}
