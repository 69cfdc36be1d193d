import java.lang.management.*;
import java.util.*;

/** java.lang.management and Runtime as far as values are sure: uptime, threads, memory, class counts. */
public class Observing {
    public static void main(String[] args) throws Exception {
        RuntimeMXBean r = ManagementFactory.getRuntimeMXBean();
        System.out.println(r.getSpecVersion() + " " + (r.getUptime() >= 0) + " " + (r.getStartTime() > 0) + " " + r.getName().contains("@") + " " + r.getSystemProperties().containsKey("java.home") + " " + (r.getPid() == ProcessHandle.current().pid()));
        MemoryMXBean m = ManagementFactory.getMemoryMXBean();
        MemoryUsage u = m.getHeapMemoryUsage();
        System.out.println((u.getUsed() >= 0) + " " + (u.getUsed() <= u.getCommitted()) + " " + (u.getMax() == -1 || u.getCommitted() <= u.getMax()));
        m.gc();
        ThreadMXBean t = ManagementFactory.getThreadMXBean();
        Thread w = new Thread(() -> { try { Thread.sleep(100_000); } catch (InterruptedException e) { } }, "observed");
        int before = t.getThreadCount();
        w.start();
        while (w.getState() != Thread.State.TIMED_WAITING) Thread.sleep(1);
        ThreadInfo info = t.getThreadInfo(w.getId());
        System.out.println((t.getThreadCount() > before) + " " + info.getThreadName() + " " + info.getThreadState() + " " + t.getThreadInfo(Long.MAX_VALUE / 2));
        w.interrupt();
        w.join();
        System.out.println((t.getTotalStartedThreadCount() >= 2) + " " + (t.findDeadlockedThreads() == null) + " " + (t.getPeakThreadCount() >= 1));
        ClassLoadingMXBean c = ManagementFactory.getClassLoadingMXBean();
        System.out.println((c.getLoadedClassCount() > 100) + " " + (c.getTotalLoadedClassCount() >= c.getLoadedClassCount()));
        OperatingSystemMXBean os = ManagementFactory.getOperatingSystemMXBean();
        System.out.println(os.getName().equals(System.getProperty("os.name")) + " " + (os.getAvailableProcessors() == Runtime.getRuntime().availableProcessors()));
        long gcs = 0;
        for (GarbageCollectorMXBean g : ManagementFactory.getGarbageCollectorMXBeans()) gcs += g.getCollectionCount();
        System.gc();
        long after = 0;
        for (GarbageCollectorMXBean g : ManagementFactory.getGarbageCollectorMXBeans()) after += g.getCollectionCount();
        System.out.println(after > gcs);
    }
}
