import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What threads have used: processor time that never falls, and exactly the memory of the objects they have made. */
public class ThreadUsage {
    static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    static volatile long sum;
    static Object kept;

    static void compute() {
        long s = sum;
        for (int i = 0; i < 3_000_000; i++) {
            s += i * 31L ^ s >>> 7;
        }
        sum = s;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(threads.isThreadCpuTimeSupported() + " " + threads.isCurrentThreadCpuTimeSupported() + " " + threads.isThreadCpuTimeEnabled()
            + " " + threads.isThreadAllocatedMemorySupported() + " " + threads.isThreadAllocatedMemoryEnabled());
        long last = 0;
        for (int i = 0; i < 5; i++) {
            compute();
            long now = threads.getCurrentThreadCpuTime();
            System.out.print((now > last) + " ");
            last = now;
        }
        long user = threads.getCurrentThreadUserTime();
        System.out.println((user >= 0) + " " + (user <= threads.getCurrentThreadCpuTime() + 10_000_000));

        Thread busy = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                compute();
            }
        });
        Thread idle = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                // the end
            }
        });
        System.out.println(threads.getThreadCpuTime(busy.getId()) + " " + threads.getThreadAllocatedBytes(busy.getId()));
        busy.start();
        idle.start();
        long[] ids = {busy.getId(), idle.getId()};
        while (threads.getThreadCpuTime(ids)[0] < 20_000_000) {
            Thread.sleep(1);
        }
        long[] cpu = threads.getThreadCpuTime(ids);
        long[] users = threads.getThreadUserTime(ids);
        System.out.println((cpu[1] >= 0) + " " + (cpu[1] < cpu[0] / 4) + " " + (users[0] <= cpu[0] + 10_000_000));
        busy.interrupt();
        idle.interrupt();
        busy.join();
        idle.join();
        System.out.println(threads.getThreadCpuTime(ids[0]) + " " + threads.getThreadUserTime(ids[0]) + " " + threads.getThreadAllocatedBytes(ids[0]));

        memory();
        threads.setThreadCpuTimeEnabled(false);
        threads.setThreadAllocatedMemoryEnabled(false);
        System.out.println(threads.getCurrentThreadCpuTime() + " " + threads.getThreadAllocatedBytes(Thread.currentThread().getId()));
        threads.setThreadCpuTimeEnabled(true);
        threads.setThreadAllocatedMemoryEnabled(true);
        System.out.println((threads.getCurrentThreadCpuTime() > 0) + " " + (threads.getThreadAllocatedBytes(Thread.currentThread().getId()) > 0));
        try {
            threads.getThreadCpuTime(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(threads.getThreadAllocatedBytes(new long[] {Long.MAX_VALUE / 3})[0]);
    }

    static void memory() throws Exception {
        long id = Thread.currentThread().getId();
        for (int round = 0; round < 3; round++) {
            // what the question itself allocates
            threads.getThreadAllocatedBytes(id);
            long a = threads.getThreadAllocatedBytes(id), b = threads.getThreadAllocatedBytes(id);
            long question = b - a;
            for (int size : new int[] {0, 100, 100_000, 3_000_000}) {
                long before = threads.getThreadAllocatedBytes(id);
                kept = new byte[size];
                long after = threads.getThreadAllocatedBytes(id);
                if (round == 2) {
                    System.out.print(after - before - question + " ");
                }
            }
        }
        System.out.println();
        long total = threads.getThreadAllocatedBytes(id);
        Thread other = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                kept = new long[1000];
            }
            System.gc();
            long own = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            System.out.println(own >= 8_016_000 && own < 9_000_000);
        });
        other.start();
        other.join();
        System.out.println(threads.getThreadAllocatedBytes(id) - total < 1_000_000);
    }
}
