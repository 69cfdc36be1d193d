import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Since 21: virtual threads. */
public class VirtualThreads {
    static final Object LOCK = new Object();
    static int shared;
    static final ThreadLocal<String> LOCAL = ThreadLocal.withInitial(() -> "none");
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    public static void main(String[] args) throws Exception {
        Thread t = Thread.ofVirtual().name("v").unstarted(() -> {
            Thread me = Thread.currentThread();
            System.out.println(me.isVirtual() + " " + me.getName() + " " + me.isDaemon() + " " + me.getPriority() + " "
                + me.getThreadGroup().getName() + " " + me.getState());
        });
        System.out.println(t.getState() + " " + t.isAlive());
        t.start();
        t.join();
        System.out.println(t.getState() + " " + t.isAlive());

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int n = i;
                results.add(executor.submit(() -> {
                    Thread.sleep(Duration.ofMillis(n % 5));
                    return n * n;
                }));
            }
            long sum = 0;
            for (var f : results) sum += f.get();
            System.out.println("sum " + sum);
        }

        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                for (int k = 0; k < 20; k++) {
                    synchronized (LOCK) {
                        int old = shared;
                        Thread.yield();
                        shared = old + 1;
                    }
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        System.out.println("shared " + shared);

        ReentrantLock lock = new ReentrantLock();
        Condition ready = lock.newCondition();
        boolean[] go = {false};
        Thread waiter = Thread.ofVirtual().start(() -> {
            lock.lock();
            try {
                while (!go[0]) ready.awaitUninterruptibly();
                System.out.println("woken");
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        try {
            go[0] = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
        waiter.join();

        Thread sleeper = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(100_000);
            } catch (InterruptedException e) {
                System.out.println("interrupted " + Thread.currentThread().isInterrupted());
            }
        });
        sleeper.interrupt();
        sleeper.join();

        Thread waits = Thread.ofVirtual().start(() -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                    System.out.println("notified");
                } catch (InterruptedException e) {
                    System.out.println(e);
                }
            }
        });
        while (waits.getState() != Thread.State.WAITING) Thread.sleep(1);
        synchronized (LOCK) {
            LOCK.notify();
        }
        waits.join();

        LOCAL.set("main");
        INHERITED.set("from main");
        Thread.ofVirtual().start(() -> System.out.println(LOCAL.get() + ", " + INHERITED.get())).join();
        Thread.ofVirtual().inheritInheritableThreadLocals(false).start(() -> System.out.println(INHERITED.get())).join();

        Thread failing = Thread.ofVirtual().name("failing").uncaughtExceptionHandler((th, e) ->
            System.out.println(th.getName() + ": " + e.getMessage())).start(() -> { throw new RuntimeException("thrown"); });
        failing.join();

        ThreadFactory factory = Thread.ofVirtual().name("worker-", 7).factory();
        System.out.println(factory.newThread(() -> {}).getName() + " " + factory.newThread(() -> {}).getName());
        System.out.println(Thread.ofPlatform().name("p").daemon().priority(3).unstarted(() -> {}).toString().replaceAll("#\\d+", "#N"));
        try {
            t.setDaemon(false);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        BlockingQueue<Integer> queue = new SynchronousQueue<>();
        Thread producer = Thread.startVirtualThread(() -> {
            try {
                for (int i = 0; i < 3; i++) queue.put(i);
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        System.out.println(queue.take() + queue.take() + queue.take());
        producer.join();
        AtomicInteger count = new AtomicInteger();
        CountDownLatch latch = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) Thread.startVirtualThread(() -> { count.incrementAndGet(); latch.countDown(); });
        latch.await();
        System.out.println(count);
    }
}
