import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that sleep, compute, wait with timeouts and read clocks: what they print depends on when each goes on. */
public class Sleepers {
    static volatile int sleeps;

    public static void main(String[] args) throws Exception {
        StringBuffer log = new StringBuffer();
        Thread sleeper = new Thread(() -> {
            try {
                for (int i = 0; i < 40; i++) {
                    Thread.sleep(0, 300_000 + i);
                    sleeps++;
                }
            } catch (InterruptedException e) {
                log.append(e);
            }
        });
        sleeper.start();
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        AtomicInteger ticks = new AtomicInteger();
        timer.scheduleAtFixedRate(ticks::incrementAndGet, 1, 3, TimeUnit.MILLISECONDS);
        long hash = 1, begin = System.nanoTime();
        int seen = 0;
        for (int i = 0; i < 2_000_000; i++) {
            hash = hash * 31 + i;
            if (sleeps != seen) {
                seen = sleeps;
                log.append(seen).append('@').append(i).append(' ');
            }
        }
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(1_000);
        }
        sleeper.join();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (long id : threads.getAllThreadIds()) {
            System.out.println(id + " " + threads.getThreadCpuTime(id) + " " + threads.getThreadUserTime(id) + " " + threads.getThreadAllocatedBytes(id));
        }
        timer.shutdownNow();
        System.out.println(log);
        System.out.println(hash + " " + ticks + " " + (System.nanoTime() - begin) + " " + System.currentTimeMillis());
    }
}
