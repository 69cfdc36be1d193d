import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.TreeSet;
import javax.management.JMRuntimeException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.*;

/** All beans of the platform with attributes, operations and notifications: their types, and what cannot be read; here and over RMI. */
public class EveryAttribute {
    /** Bean by bean; what belongs to a compiler, and diagnostic commands, are HotSpot's own. */
    static String all(MBeanServerConnection server) throws Exception {
        StringBuilder out = new StringBuilder();
        for (ObjectName name : new TreeSet<>(server.queryNames(null, null))) {
            if (name.toString().contains("Code") || name.toString().contains("Compilation")) continue;
            MBeanInfo info = server.getMBeanInfo(name);
            out.append(name + " " + info.getClassName() + "\n");
            TreeSet<String> lines = new TreeSet<>();
            for (MBeanAttributeInfo a : info.getAttributes()) {
                String value;
                try {
                    Object v = server.getAttribute(name, a.getName());
                    value = v == null ? "null" : v.getClass().getName();
                } catch (Exception e) {
                    Throwable cause = e;
                    while (cause.getCause() != null) cause = cause.getCause();
                    value = e.getClass().getName() + ": " + cause;
                }
                lines.add("  " + a.getName() + " " + a.getType() + (a.isWritable() ? " writable " : " ") + (a.isIs() ? "is " : "") + value);
            }
            boolean commands = name.toString().contains("DiagnosticCommand");
            for (MBeanOperationInfo o : info.getOperations()) {
                Object[] types = Arrays.stream(o.getSignature()).map(p -> p.getType()).toArray();
                String line = "  " + o.getReturnType() + " " + o.getName() + Arrays.toString(types) + " " + o.getImpact();
                if (!commands || line.matches(".*(gcClassHistogram|gcHeapInfo|gcRun|help|jfrCheck|jfrDump|jfrStart|jfrStop|threadPrint|vmCommandLine|vmFlags|vmSetFlag|vmSystemProperties|vmUptime|vmVersion)\\[.*")) lines.add(line);
            }
            for (MBeanNotificationInfo n : info.getNotifications()) {
                lines.add("  " + n.getName() + " " + new TreeSet<>(Arrays.asList(n.getNotifTypes())));
            }
            for (String line : lines) out.append(line + "\n");
        }
        return out.toString();
    }

    public static void main(String[] args) throws Exception {
        System.gc();
        MBeanServerConnection own = ManagementFactory.getPlatformMBeanServer();
        String here = all(own);
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(new JMXServiceURL("service:jmx:rmi://"), null, ManagementFactory.getPlatformMBeanServer());
        server.start();
        try (JMXConnector c = JMXConnectorFactory.connect(server.getAddress())) {
            String remote = all(c.getMBeanServerConnection());
            System.out.println(here);
            System.out.println(remote.equals(here) ? "the same over RMI" : remote);
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            String[] signature = {String[].class.getName()};
            Object dump = c.getMBeanServerConnection().invoke(commands, "threadPrint", new Object[] {new String[] {"-l"}}, signature);
            System.out.println(dump.toString().contains("\"main\" #1 ") + " " + dump.toString().contains("Locked ownable synchronizers"));
            System.out.println(own.invoke(commands, "gcRun", null, null));
            System.out.println(own.invoke(commands, "vmCommandLine", null, null).toString().lines().filter(l -> l.startsWith("java_command")).findFirst().get());
            for (String[] words : new String[][] {{"-x"}, {"a"}, {"-l=maybe"}}) {
                try {
                    own.invoke(commands, "threadPrint", new Object[] {words}, signature);
                } catch (Exception e) {
                    System.out.println(e.getClass().getName() + ": " + e.getCause());
                }
            }
            try {
                own.invoke(commands, "gcRun", new Object[] {new String[0]}, new String[] {"x"});
            } catch (Exception e) {
                System.out.println(e.getClass().getName() + ": " + e.getCause());
            }
        }
        server.stop();
    }
}
