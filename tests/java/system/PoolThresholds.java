import static java.lang.management.MemoryNotificationInfo.MEMORY_COLLECTION_THRESHOLD_EXCEEDED;
import static java.lang.management.MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** Thresholds of memory pools: how much is in use, and how much collections leave. */
public class PoolThresholds {
    static final LinkedBlockingQueue<Notification> told = new LinkedBlockingQueue<>();
    static final LinkedBlockingQueue<String> where = new LinkedBlockingQueue<>();
    static final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    static Object keep;

    interface Code {
        Object run() throws Exception;
    }

    static void show(String what, Code c) {
        try {
            System.out.println(what + ": " + c.run());
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    /** Under the names of the serial collector, whichever it is. */
    static String plain(String name) {
        return name.replace("G1 Young Generation", "Copy").replace("G1 Old Generation", "MarkSweepCompact")
            .replace("G1 Old Gen", "Tenured Gen").replace("G1 ", "");
    }

    static MemoryPoolMXBean pool(String name) {
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            if (plain(p.getName()).equals(name)) {
                return p;
            }
        }
        throw new IllegalStateException(name);
    }

    static void support() {
        TreeSet<String> lines = new TreeSet<>();
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            if (!p.getName().startsWith("Code")) {
                lines.add(plain(p.getName()) + ", " + p.getType() + ": " + p.isUsageThresholdSupported() + " " + p.isCollectionUsageThresholdSupported()
                    + (p.isCollectionUsageThresholdSupported() ? " " + (p.getCollectionUsage().getUsed() >= 0) : " " + p.getCollectionUsage()));
            }
        }
        lines.forEach(System.out::println);
        String[] managers = pool("Eden Space").getMemoryManagerNames();
        Arrays.sort(managers, Comparator.comparing(PoolThresholds::plain));
        System.out.println(plain(Arrays.toString(managers)));
        // young collections of G1 may be about the old generation, too
        ManagementFactory.getGarbageCollectorMXBeans().stream().filter(b -> plain(b.getName()).equals("MarkSweepCompact"))
            .forEach(b -> System.out.println(plain(b.getName() + " " + Arrays.toString(b.getMemoryPoolNames()))));
    }

    static void errors() {
        MemoryPoolMXBean eden = pool("Eden Space"), old = pool("Tenured Gen"), classes = pool("Metaspace");
        show("usage of eden", () -> eden.getUsageThreshold());
        show("usage of eden", () -> eden.isUsageThresholdExceeded());
        show("usage of eden", () -> eden.getUsageThresholdCount());
        show("collections of metaspace", () -> classes.getCollectionUsageThreshold());
        show("collections of metaspace", () -> classes.isCollectionUsageThresholdExceeded());
        show("collections of metaspace", () -> classes.getCollectionUsageThresholdCount());
        show("collections of metaspace", () -> {
            classes.setCollectionUsageThreshold(1);
            return "?";
        });
        show("negative", () -> {
            old.setUsageThreshold(-1);
            return "?";
        });
        show("negative", () -> {
            old.setCollectionUsageThreshold(-5);
            return "?";
        });
        for (boolean left : new boolean[] {false, true}) {
            try {
                if (left) {
                    old.setCollectionUsageThreshold(1L << 60);
                } else {
                    old.setUsageThreshold(1L << 60);
                }
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage().replaceAll("(= |max .)[0-9]+", "$1N"));
            }
        }
        System.out.println(old.getUsageThreshold() + " " + old.isUsageThresholdExceeded() + " " + old.getUsageThresholdCount() + " "
            + old.getCollectionUsageThreshold() + " " + old.isCollectionUsageThresholdExceeded() + " " + old.getCollectionUsageThresholdCount());
    }

    static MemoryNotificationInfo info(Notification n) {
        return MemoryNotificationInfo.from((CompositeData) n.getUserData());
    }

    static void tell(Notification n, MemoryPoolMXBean pool, long least) {
        MemoryNotificationInfo info = info(n);
        MemoryUsage usage = info.getUsage();
        System.out.println(n.getType() + " " + n.getMessage() + " " + n.getSource());
        // there may be more collections than those asked for, and some may be told at once
        String count = n.getType().equals(MEMORY_THRESHOLD_EXCEEDED) ? info.getCount() + "" : (info.getCount() >= 1) + "";
        System.out.println(plain(info.getPoolName()) + " " + count + " " + (usage.getUsed() >= least) + " "
            + (usage.getCommitted() >= usage.getUsed()) + " " + (usage.getMax() == pool.getUsage().getMax()));
    }

    static Notification next(MemoryPoolMXBean pool, String type) throws Exception {
        Notification n;
        do {
            n = told.poll(20, TimeUnit.SECONDS);
        } while (n != null && !(info(n).getPoolName().equals(pool.getName()) && n.getType().equals(type)));
        return n;
    }

    /** Collects until this is no longer so: G1 looks at what was in use before. */
    static void collectWhile(BooleanSupplier on) throws Exception {
        for (int i = 0; i < 200 && (i == 0 || on.getAsBoolean()); i++) {
            System.gc();
            Thread.sleep(10);
        }
    }

    static void usage() throws Exception {
        MemoryPoolMXBean old = pool("Tenured Gen");
        System.gc();
        long threshold = old.getUsage().getUsed() + (8 << 20);
        old.setUsageThreshold(threshold);
        System.out.println((old.getUsageThreshold() == threshold) + " " + old.isUsageThresholdExceeded() + " " + old.getUsageThresholdCount());
        keep = new byte[10 << 20];
        System.gc();
        tell(next(old, MEMORY_THRESHOLD_EXCEEDED), old, threshold);
        System.out.println(where.take());
        System.out.println(old.isUsageThresholdExceeded() + " " + old.getUsageThresholdCount());
        System.gc();
        System.out.println("told once: " + told.poll(100, TimeUnit.MILLISECONDS) + " " + old.getUsageThresholdCount());
        keep = null;
        collectWhile(() -> old.isUsageThresholdExceeded());
        System.out.println(old.isUsageThresholdExceeded() + " " + old.getUsageThresholdCount());
        keep = new byte[10 << 20];
        System.gc();
        tell(next(old, MEMORY_THRESHOLD_EXCEEDED), old, threshold);
        where.take();
        System.out.println(old.isUsageThresholdExceeded() + " " + old.getUsageThresholdCount());

        // one that is passed already
        old.setUsageThreshold(0);
        System.out.println(old.isUsageThresholdExceeded());
        keep = null;
        System.gc();
        old.setUsageThreshold(1L << 25);
        collectWhile(() -> old.isUsageThresholdExceeded());
        System.out.println(old.isUsageThresholdExceeded());
        old.setUsageThreshold(1);
        tell(next(old, MEMORY_THRESHOLD_EXCEEDED), old, 1);
        where.take();
        System.out.println(old.isUsageThresholdExceeded() + " " + old.getUsageThresholdCount());
        old.setUsageThreshold(0);
    }

    static void collections() throws Exception {
        MemoryPoolMXBean old = pool("Tenured Gen");
        long threshold = 9 << 20;
        keep = new byte[10 << 20];
        old.setCollectionUsageThreshold(threshold);
        System.gc();
        tell(next(old, MEMORY_COLLECTION_THRESHOLD_EXCEEDED), old, threshold);
        where.take();
        System.out.println(old.isCollectionUsageThresholdExceeded() + " " + (old.getCollectionUsageThresholdCount() >= 1) + " "
            + (old.getCollectionUsage().getUsed() >= threshold));
        // each collection counts
        System.gc();
        tell(next(old, MEMORY_COLLECTION_THRESHOLD_EXCEEDED), old, threshold);
        where.take();
        keep = null;
        collectWhile(() -> old.isCollectionUsageThresholdExceeded());
        System.out.println(old.isCollectionUsageThresholdExceeded() + " " + (old.getCollectionUsageThresholdCount() >= 1) + " "
            + (old.getCollectionUsage().getUsed() < threshold));

        // of the young generation: what a full collection leaves is nothing
        MemoryPoolMXBean eden = pool("Eden Space"), survivors = pool("Survivor Space");
        eden.setCollectionUsageThreshold(1);
        System.gc();
        System.out.println(eden.isCollectionUsageThresholdExceeded() + " " + eden.getCollectionUsageThresholdCount() + " " + eden.getCollectionUsage().getUsed());
        survivors.setCollectionUsageThreshold(1);
        old.setCollectionUsageThreshold(0);
        Object[] some = new Object[1000];
        for (int i = 0; survivors.getCollectionUsageThresholdCount() == 0 && i < 10_000_000; i++) {
            some[i % 1000] = new byte[100];
        }
        tell(next(survivors, MEMORY_COLLECTION_THRESHOLD_EXCEEDED), survivors, 1);
        survivors.setCollectionUsageThreshold(0);
        System.out.println(survivors.isCollectionUsageThresholdExceeded() + " " + (survivors.getCollectionUsageThresholdCount() >= 1));
    }

    static void classes() throws Exception {
        MemoryPoolMXBean classes = pool("Metaspace");
        classes.setUsageThreshold(1000);
        tell(next(classes, MEMORY_THRESHOLD_EXCEEDED), classes, 1000);
        System.out.println(where.take());
        System.out.println(classes.isUsageThresholdExceeded() + " " + classes.getUsageThresholdCount() + " " + classes.getCollectionUsage());
        // by the bean server
        ObjectName name = classes.getObjectName();
        show("attribute", () -> ManagementFactory.getPlatformMBeanServer().getAttribute(name, "UsageThresholdExceeded"));
        show("attribute", () -> ManagementFactory.getPlatformMBeanServer().getAttribute(name, "UsageThresholdCount"));
    }

    public static void main(String[] args) throws Exception {
        support();
        errors();
        NotificationEmitter emitter = (NotificationEmitter) memory;
        String[] types = emitter.getNotificationInfo()[0].getNotifTypes();
        System.out.println(Arrays.toString(types) + " " + emitter.getNotificationInfo()[0].getDescription());
        NotificationListener listener = (n, handback) -> {
            Thread t = Thread.currentThread();
            where.add(t.getName() + " " + t.isDaemon() + " " + t.getThreadGroup().getName() + " " + handback);
            told.add(n);
        };
        emitter.addNotificationListener(listener, null, "mine");
        usage();
        collections();
        classes();
        emitter.removeNotificationListener(listener);
    }
}
