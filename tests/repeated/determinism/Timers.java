import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Eight threads that wait in all the ways there are to wait for a time, and write down who came when. */
public class Timers {
    static final List<String> LOG = new ArrayList<>();
    static final AtomicLong SUM = new AtomicLong();

    static synchronized void log(String what) {
        LOG.add(what + " " + System.nanoTime());
    }

    static void work(int n) {
        long x = n;
        for (int i = 0; i < n * 997; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        SUM.addAndGet(x);
    }

    interface Step {
        void run() throws Exception;
    }

    static Thread start(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                for (int i = 0; i < 10; i++) {
                    work(i);
                    step.run();
                    log(name);
                }
            } catch (Exception e) {
                log(name + e);
            }
        }, name);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        timer.scheduleAtFixedRate(() -> log("rate"), 1, 3, TimeUnit.MILLISECONDS);
        timer.scheduleWithFixedDelay(() -> log("delay"), 2, 5, TimeUnit.MILLISECONDS);
        Object lock = new Object();
        ReentrantLock mutex = new ReentrantLock();
        Condition condition = mutex.newCondition();
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        List<Thread> all = List.of(
            start("sleep", () -> Thread.sleep(2)),
            start("nap", () -> Thread.sleep(0, 300_000)),
            start("wait", () -> {
                synchronized (lock) {
                    lock.wait(1 + ThreadLocalRandom.current().nextInt(4));
                }
            }),
            start("notify", () -> {
                Thread.sleep(3);
                synchronized (lock) {
                    lock.notify();
                }
            }),
            start("park", () -> LockSupport.parkNanos(1_700_000)),
            start("until", () -> LockSupport.parkUntil(System.currentTimeMillis() + 2)),
            start("await", () -> {
                mutex.lock();
                try {
                    condition.await(2_100, TimeUnit.MICROSECONDS);
                } finally {
                    mutex.unlock();
                }
            }),
            start("poll", () -> {
                queue.offer(1, 1, TimeUnit.MILLISECONDS);
                queue.poll(1, TimeUnit.MILLISECONDS);
                queue.poll(1, TimeUnit.MILLISECONDS);
            }));
        for (Thread t : all) {
            t.join();
        }
        timer.shutdown();
        timer.awaitTermination(1, TimeUnit.SECONDS);
        synchronized (Timers.class) {
            LOG.forEach(System.out::println);
        }
        System.out.println(SUM + " " + System.nanoTime());
    }
}
