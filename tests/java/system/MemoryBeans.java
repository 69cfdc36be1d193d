import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.io.File;
import java.io.IOException;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.openmbean.CompositeData;
import javax.management.ObjectName;

/** Options, heap dumps, peaks of memory, what collections leave, memory and time of the process. */
public class MemoryBeans {
    static HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

    interface Code {
        Object run() throws Exception;
    }

    static void show(Code c) {
        try {
            System.out.println(c.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    static void set(String name, String value) {
        show(() -> {
            options.setVMOption(name, value);
            return options.getVMOption(name);
        });
    }

    static void options() {
        for (String name : new String[] {"UseCompressedOops", "ObjectAlignmentInBytes", "ThreadStackSize", "MaxMetaspaceSize", "MetaspaceSize",
            "CompressedClassSpaceSize", "MaxDirectMemorySize", "ExitOnOutOfMemoryError", "HeapDumpOnOutOfMemoryError", "HeapDumpPath",
            "ShowCodeDetailsInExceptionMessages", "NoSuchOption"}) {
            show(() -> options.getVMOption(name));
        }
        VMOption heap = options.getVMOption("MaxHeapSize");
        System.out.println(heap.getName() + " " + (Long.parseLong(heap.getValue()) > 1 << 20) + " " + heap.isWriteable());
        set("HeapDumpPath", "somewhere.hprof");
        set("HeapDumpOnOutOfMemoryError", "TRUE");
        set("HeapDumpOnOutOfMemoryError", "yes");
        set("HeapDumpOnOutOfMemoryError", "false");
        set("MaxHeapSize", "5");
        set("NoSuchOption", "1");
        set("ShowCodeDetailsInExceptionMessages", "false");
        show(() -> ((String) null).length());
        set("ShowCodeDetailsInExceptionMessages", "true");
        show(() -> ((String) null).length());
        for (VMOption o : options.getDiagnosticOptions()) {
            if (o.getName().startsWith("HeapDumpPath") || o.getName().startsWith("Show")) {
                System.out.println(o);
            }
        }
    }

    static void dump() throws IOException {
        Path dir = Files.createTempDirectory("dump");
        String file = dir.resolve("heap.hprof").toString();
        show(() -> {
            options.dumpHeap(dir.resolve("heap.txt").toString(), true);
            return "?";
        });
        for (boolean live : new boolean[] {true, false}) {
            byte[][] garbage = new byte[100][];
            for (int i = 0; i < 100; i++) {
                garbage[i] = new byte[10_000];
            }
            garbage = null;
            options.dumpHeap(file, live);
            byte[] bytes = Files.readAllBytes(Path.of(file));
            System.out.println(new String(bytes, 0, 18) + " " + (bytes.length > 100_000));
            try {
                options.dumpHeap(file, live);
            } catch (IOException e) {
                System.out.println(e);
            }
            Files.delete(Path.of(file));
        }
        show(() -> {
            options.dumpHeap(dir.resolve("missing/heap.hprof").toString(), false);
            return "?";
        });
        Files.delete(dir);
    }

    static long heapPeak() {
        long sum = 0;
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            long used = p.getUsage().getUsed();
            MemoryUsage peak = p.getPeakUsage();
            if (peak.getUsed() < used && p.getType() == MemoryType.HEAP) {
                System.out.println("peak below use");
            }
            if (p.getType() == MemoryType.HEAP) {
                sum += peak.getUsed();
            }
        }
        return sum;
    }

    static Object keep;

    static void peaks() {
        keep = new byte[20 << 20];
        keep = null;
        System.gc();
        long high = heapPeak();
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            p.resetPeakUsage();
        }
        long low = heapPeak();
        System.out.println("peaks: " + (high >= 20 << 20) + " " + (low <= high - (10 << 20)));
    }

    static void collections() throws Exception {
        System.gc();
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) {
            com.sun.management.GcInfo info = ((com.sun.management.GarbageCollectorMXBean) b).getLastGcInfo();
            if (info == null || !b.getName().equals("MarkSweepCompact") && !b.getName().equals("G1 Old Generation")) {
                continue;
            }
            System.out.println((info.getId() == b.getCollectionCount()) + " " + (info.getStartTime() <= info.getEndTime()) + " "
                + (info.getDuration() == info.getEndTime() - info.getStartTime()) + " " + (b.getCollectionTime() >= 0) + " "
                + info.getMemoryUsageBeforeGc().keySet().equals(info.getMemoryUsageAfterGc().keySet()) + " "
                + (info.getMemoryUsageBeforeGc().size() == ManagementFactory.getMemoryPoolMXBeans().size()));
            CompositeData data = (CompositeData) ManagementFactory.getPlatformMBeanServer().getAttribute(
                new ObjectName("java.lang:type=GarbageCollector,name=" + b.getName()), "LastGcInfo");
            System.out.println(data.getCompositeType().keySet() + " " + data.get("GcThreadCount").getClass());
        }
    }

    static void process() {
        com.sun.management.OperatingSystemMXBean os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.println((os.getTotalMemorySize() > 0) + " " + (os.getFreeMemorySize() > 0) + " " + (os.getTotalSwapSpaceSize() >= os.getFreeSwapSpaceSize())
            + " " + (os.getFreeSwapSpaceSize() >= 0) + " " + (os.getCommittedVirtualMemorySize() > 10 << 20) + " " + (os.getProcessCpuTime() > 0)
            + " " + (os.getProcessCpuLoad() <= 1) + " " + (os.getCpuLoad() <= 1));
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        System.out.println(classes.isVerbose() + " " + ManagementFactory.getMemoryMXBean().isVerbose());
    }

    public static void main(String[] args) throws Exception {
        options();
        dump();
        peaks();
        collections();
        process();
    }
}
