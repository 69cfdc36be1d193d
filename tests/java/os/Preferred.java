import java.lang.management.ManagementFactory;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.prefs.Preferences;

/** Natives outside java.base: preferences in files, figures of the machine; member classes that don't know their host. */
public class Preferred {
    public static void main(String[] args) throws Exception {
        System.setProperty("java.util.prefs.userRoot", System.getProperty("java.io.tmpdir") + "/prefs");
        Logger log = Logger.getLogger("java.util.prefs");
        log.setLevel(Level.OFF);
        Preferences n = Preferences.userRoot().node("a/b");
        n.put("key", "value");
        n.putInt("number", 7);
        n.flush();
        n.sync();
        System.out.println(n + " " + n.get("key", "none") + " " + n.getInt("number", 0) + " " + String.join(" ", Preferences.userRoot().node("a").childrenNames()));
        n.removeNode();
        Preferences.userRoot().flush();
        System.out.println(Preferences.userRoot().nodeExists("a/b") + " " + Preferences.userRoot().nodeExists("a"));
        var os = (com.sun.management.UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.println((os.getTotalMemorySize() > 0) + " " + (os.getFreeMemorySize() > 0) + " " + (os.getMaxFileDescriptorCount() > 10) + " " + (os.getOpenFileDescriptorCount() > 2));
        System.out.println(Class.forName("java.lang.invoke.LambdaForm").getDeclaredClasses().length);
    }
}
