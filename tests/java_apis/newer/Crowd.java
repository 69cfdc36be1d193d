import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Since 21: ten thousand virtual threads at one monitor, one lock, one condition. */
public class Crowd {
    static final int MANY = 10_000;
    static int entered;

    interface Task { void run() throws Exception; }

    static void all(Task task) throws Exception {
        Thread[] threads = new Thread[MANY];
        for (int i = 0; i < MANY; i++) threads[i] = Thread.startVirtualThread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new RuntimeException(e);
            }
        });
        for (Thread thread : threads) thread.join();
    }

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Semaphore ready = new Semaphore(0);
        synchronized (monitor) {
            Thread opener = Thread.startVirtualThread(() -> {
                synchronized (monitor) { entered++; }
            });
            while (opener.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        }
        all(() -> { synchronized (monitor) { entered++; } });
        System.out.println(entered + " entered");

        ReentrantLock lock = new ReentrantLock();
        Condition go = lock.newCondition();
        int[] woken = new int[1];
        boolean[] open = new boolean[1];
        Thread caller = Thread.ofPlatform().start(() -> {
            ready.acquireUninterruptibly(MANY);
            lock.lock();
            try {
                open[0] = true;
                go.signalAll();
            } finally {
                lock.unlock();
            }
        });
        all(() -> {
            lock.lock();
            try {
                ready.release();
                while (!open[0]) go.await();
                woken[0]++;
            } finally {
                lock.unlock();
            }
        });
        caller.join();
        System.out.println(woken[0] + " woken");

        AtomicInteger counted = new AtomicInteger();
        CountDownLatch latch = new CountDownLatch(MANY);
        all(() -> {
            latch.countDown();
            latch.await();
            counted.incrementAndGet();
        });
        System.out.println(counted + " counted");
    }
}
