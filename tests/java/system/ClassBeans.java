import java.io.InputStream;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;

/** What the management interface says of loaded and unloaded classes and their memory. */
public class ClassBeans {
    public static class Dropped {
        public static int f() {
            return 1;
        }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Throwable {
        byte[] b;
        try (InputStream in = ClassBeans.class.getResourceAsStream("ClassBeans$Dropped.class")) {
            b = in.readAllBytes();
        }
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        MemoryPoolMXBean pool = null;
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            if (p.getName().equals("Metaspace") || p.getName().equals("Compressed Class Space")) {
                System.out.println(p.getName() + " " + (p.getType() == MemoryType.NON_HEAP) + " "
                    + (p.getUsage().getUsed() > 0));
            }
            if (p.getName().equals("Metaspace")) {
                pool = p;
            }
        }
        long used = pool.getUsage().getUsed();
        long total = classes.getTotalLoadedClassCount();
        long before = classes.getUnloadedClassCount();
        Object[] held = new Object[200];
        for (int i = 0; i < held.length; i++) {
            held[i] = new Loader().define(b);
        }
        System.out.println("loaded: " + (classes.getTotalLoadedClassCount() - total >= 200));
        long more = pool.getUsage().getUsed();
        System.out.println("more metadata: " + (more > used + 50_000));
        held = null;
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        System.out.println("unloaded: " + (classes.getUnloadedClassCount() - before >= 200));
        System.out.println("sum: " + (classes.getTotalLoadedClassCount() - classes.getUnloadedClassCount()
            == classes.getLoadedClassCount()));
        System.out.println("less metadata: " + (pool.getUsage().getUsed() < more - 50_000));
    }
}
