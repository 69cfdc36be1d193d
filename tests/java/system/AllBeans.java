import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;

/** Each attribute of each bean of the platform's server can be read, or says that it is not supported. */
public class AllBeans {
    public static void main(String[] args) throws Exception {
        System.gc();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        Set<String> types = new TreeSet<>();
        for (ObjectName name : server.queryNames(null, null)) {
            for (MBeanAttributeInfo a : server.getMBeanInfo(name).getAttributes()) {
                try {
                    Object value = server.getAttribute(name, a.getName());
                    if (value == null && a.getType().length() == 1) {
                        System.out.println(name + " " + a + " null");
                    }
                } catch (RuntimeMBeanException e) {
                    if (!(e.getCause() instanceof UnsupportedOperationException)) {
                        System.out.println(name + " " + a + " " + e.getCause());
                    }
                } catch (Throwable e) {
                    System.out.println(name + " " + a + " " + e);
                }
            }
            types.add(name.getDomain() + ":" + name.getKeyProperty("type"));
        }
        types.remove("java.lang:Compilation");
        types.remove("java.lang:MemoryManager");
        types.remove("com.sun.management:DiagnosticCommand");
        types.removeIf(t -> t.startsWith("jdk.management.jfr"));
        System.out.println(types);
    }
}
