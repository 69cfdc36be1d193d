/** Threads that wait for each other. */
public class Waits {
    static final Object LOCK = new Object();
    static boolean waiting;
    static boolean told;

    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                waiting = true;
                while (!told) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }, "waiter");
        Thread enterer = new Thread(() -> {
            synchronized (LOCK) {
                waiting = false;
            }
        }, "enterer");
        waiter.start();
        while (true) {
            synchronized (LOCK) {
                if (waiting) {
                    break;
                }
            }
            Thread.yield();
        }
        Thread.sleep(100);
        synchronized (LOCK) {
            told = true;
            enterer.start();
            Thread.sleep(20);
            // the waiter has to enter the monitor again, which is held for a while
            LOCK.notifyAll();
            Thread.sleep(50);
        }
        waiter.join();
        enterer.join();
        // one whose wait is over by time while somebody else has the monitor
        Thread timed = new Thread(() -> {
            synchronized (LOCK) {
                waiting = true;
                try {
                    LOCK.wait(30);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            synchronized (LOCK) {
                told = false;
            }
        }, "timed");
        timed.start();
        while (true) {
            synchronized (LOCK) {
                if (waiting) {
                    break;
                }
            }
            Thread.yield();
        }
        synchronized (LOCK) {
            Thread.sleep(80);
        }
        synchronized (LOCK) {
            Thread.sleep(40);
        }
        timed.join();
    }
}
