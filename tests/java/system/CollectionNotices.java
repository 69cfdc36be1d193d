import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** What collectors tell those who listen. */
public class CollectionNotices {
    static final LinkedBlockingQueue<Notification> told = new LinkedBlockingQueue<>();
    static final LinkedBlockingQueue<String> where = new LinkedBlockingQueue<>();
    static Object garbage;

    /** Under the names of the serial collector, whichever it is. */
    static String plain(Object o) {
        return o.toString().replace("G1 Young Generation", "Copy").replace("G1 Old Generation", "MarkSweepCompact")
            .replace("G1 Evacuation Pause", "Allocation Failure");
    }

    static Notification next() throws Exception {
        return told.poll(20, TimeUnit.SECONDS);
    }

    static boolean sane(Map<String, MemoryUsage> usage) {
        boolean heap = false;
        for (MemoryUsage u : usage.values()) {
            if (u.getUsed() < 0 || u.getCommitted() < u.getUsed()) {
                return false;
            }
            heap |= u.getUsed() > 0;
        }
        return heap;
    }

    static void show(Notification n) {
        CompositeData data = (CompositeData) n.getUserData();
        GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
        GcInfo gc = info.getGcInfo();
        System.out.println(n.getType() + " " + plain(n.getSource()) + " " + plain(n.getMessage()));
        System.out.println(plain(info.getGcName()) + ", " + info.getGcAction() + ", " + plain(info.getGcCause()));
        System.out.println(data.getCompositeType().getTypeName() + " " + data.getCompositeType().keySet());
        System.out.println(gc.getCompositeType().keySet() + " " + ((Integer) gc.get("GcThreadCount") > 0));
        long now = System.currentTimeMillis();
        System.out.println((n.getTimeStamp() <= now && n.getTimeStamp() > now - 60_000) + " " + (gc.getId() > 0) + " "
            + (gc.getStartTime() <= gc.getEndTime()) + " " + (gc.getDuration() == gc.getEndTime() - gc.getStartTime()));
        System.out.println(gc.getMemoryUsageBeforeGc().keySet().equals(gc.getMemoryUsageAfterGc().keySet()) + " "
            + sane(gc.getMemoryUsageBeforeGc()) + " " + sane(gc.getMemoryUsageAfterGc()));
    }

    static GarbageCollectorMXBean bean(String name) {
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (plain(gc.getName()).equals(name)) {
                return gc;
            }
        }
        throw new IllegalStateException(name);
    }

    public static void main(String[] args) throws Exception {
        NotificationEmitter young = (NotificationEmitter) bean("Copy"), full = (NotificationEmitter) bean("MarkSweepCompact");
        System.out.println(Arrays.toString(full.getNotificationInfo()[0].getNotifTypes()) + " " + full.getNotificationInfo()[0].getDescription());
        NotificationListener listener = (n, handback) -> {
            Thread t = Thread.currentThread();
            where.add(t.getName() + " " + t.isDaemon() + " " + t.getPriority() + " " + t.getThreadGroup().getName() + " " + handback);
            told.add(n);
        };
        full.addNotificationListener(listener, null, "mine");
        System.gc();
        Notification first = next();
        show(first);
        System.out.println(where.take());

        // each is told, in order
        System.gc();
        System.gc();
        long sequence = first.getSequenceNumber();
        long id = GarbageCollectionNotificationInfo.from((CompositeData) first.getUserData()).getGcInfo().getId();
        for (int i = 1; i <= 2; i++) {
            Notification n = next();
            long its = GarbageCollectionNotificationInfo.from((CompositeData) n.getUserData()).getGcInfo().getId();
            System.out.println((n.getSequenceNumber() - sequence) + " " + (its - id));
        }

        // another listener, by the bean server, with a filter
        ObjectName name = ((GarbageCollectorMXBean) full).getObjectName();
        LinkedBlockingQueue<Object> remote = new LinkedBlockingQueue<>();
        NotificationListener second = (n, handback) -> remote.add(n.getSource());
        ManagementFactory.getPlatformMBeanServer().addNotificationListener(name, second, n -> n.getType().endsWith("notification"), null);
        full.removeNotificationListener(listener);
        System.gc();
        System.out.println(plain(remote.poll(20, TimeUnit.SECONDS)));
        ManagementFactory.getPlatformMBeanServer().removeNotificationListener(name, second);
        System.gc();
        System.out.println(told.poll(200, TimeUnit.MILLISECONDS) + " " + remote.poll());
        try {
            full.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
            System.out.println(e);
        }

        // those of the young generation
        where.clear();
        young.addNotificationListener(listener, null, null);
        for (int i = 0; told.isEmpty() && i < 10_000_000; i++) {
            garbage = new byte[1000];
        }
        show(next());
        System.out.println(where.take());
        young.removeNotificationListener(listener, null, null);
    }
}
