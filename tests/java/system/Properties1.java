import java.util.*;

/** System properties: what a VM must define, -D options in order, changes, line separator, environment, identity of streams. */
public class Properties1 {
    public static void main(String[] args) {
        for (String k : new String[] {"java.version", "java.vendor", "java.home", "java.vm.name", "java.vm.specification.version", "java.specification.version", "java.class.version", "java.class.path", "java.library.path", "java.io.tmpdir", "os.name", "os.arch", "os.version", "user.name", "user.home", "user.dir", "java.vm.vendor", "java.vm.version", "java.runtime.version", "native.encoding", "file.encoding", "sun.jnu.encoding", "java.vm.info", "java.version.date", "java.vendor.url", "jdk.debug", "sun.arch.data.model"})
            System.out.println(k + " " + (System.getProperty(k) != null && !System.getProperty(k).isEmpty()));
        for (String k : new String[] {"java.specification.version", "java.class.version", "file.separator", "path.separator", "file.encoding", "my.key", "my.empty", "my.flag", "my.equals", "my.twice", "no.such"}) System.out.println(k + "=" + System.getProperty(k));
        System.out.println((int) System.lineSeparator().charAt(0) + " " + System.getProperty("line.separator").equals(System.lineSeparator()) + " " + Runtime.version().feature() + " " + System.getProperty("java.version").startsWith("17") + " " + Runtime.Version.parse("17.0.2+8-LTS").compareTo(Runtime.Version.parse("17.0.10")));
        System.out.println(System.setProperty("my.key", "changed") + " " + System.getProperty("my.key") + " " + System.clearProperty("my.key") + " " + System.getProperty("my.key", "default") + " " + Boolean.getBoolean("my.flag") + " " + Integer.getInteger("my.number") + " " + Long.getLong("my.hex", 5L));
        for (String bad : new String[] {"", null}) {
            try {
                System.getProperty(bad);
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        Properties p = System.getProperties();
        System.out.println((p == System.getProperties()) + " " + p.containsKey("my.flag") + " " + (p.getProperty("os.name") == System.getProperty("os.name")));
        Properties own = new Properties(p);
        own.setProperty("x", "y");
        System.setProperties(own);
        System.out.println(System.getProperty("x") + " " + System.getProperty("my.twice"));
        System.setProperties(p);
        System.out.println(System.getProperty("x") + " " + System.getenv("NO_SUCH_VARIABLE_HERE") + " " + System.getenv().containsKey("PATH") + " " + System.getenv("TZ") + " " + System.getenv("LC_ALL"));
        try {
            System.getenv().put("A", "B");
        } catch (UnsupportedOperationException e) {
            System.out.println("environment is read-only");
        }
        long a = System.nanoTime(), b = System.nanoTime(), m = System.currentTimeMillis();
        System.out.println((b >= a) + " " + (m > 1_500_000_000_000L) + " " + (System.getSecurityManager() == null) + " " + System.mapLibraryName("x"));
        try {
            System.loadLibrary("no_such_library");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage().split(":")[0]);
        }
        try {
            System.load("relative.so");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        try {
            missing(1);
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
    }

    static native int missing(int a);
}
