import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Correct in every schedule: locks, atomic variables, a latch, waiting in a loop, and time. */
public class Counted {
    static int plain, guarded;
    static final AtomicInteger atomic = new AtomicInteger();
    static final ReentrantLock lock = new ReentrantLock();
    static boolean ready;

    static synchronized void awaitReady() throws InterruptedException {
        while (!ready) Counted.class.wait(50);
    }

    static synchronized void setReady() {
        ready = true;
        Counted.class.notifyAll();
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                try {
                    awaitReady();
                    lock.lock();
                    try {
                        guarded++;
                    } finally {
                        lock.unlock();
                    }
                    atomic.incrementAndGet();
                    synchronized (done) {
                        plain++;
                    }
                    Thread.sleep(10);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                done.countDown();
            }).start();
        }
        setReady();
        done.await();
        System.out.println(plain + " " + guarded + " " + atomic);
    }
}
