import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.lang.management.*;
import java.util.*;
import javax.management.*;
import javax.management.remote.*;

/** Looks into another VM as management tools do: by its process, `PID`, or by the port where it listens, `PORT user password`. */
public class Manage {
    public static void main(String[] args) throws Exception {
        if (args[0].equals("port")) {
            Map<String, Object> environment = new HashMap<>();
            if (args.length > 2) environment.put(JMXConnector.CREDENTIALS, new String[] {args[2], args[3]});
            String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + args[1] + "/jmxrmi";
            try (JMXConnector c = JMXConnectorFactory.connect(new JMXServiceURL(url), environment)) {
                look(c.getMBeanServerConnection());
            } catch (SecurityException e) {
                System.out.println(e.getMessage());
            }
            return;
        }
        String pid = args[0];
        for (VirtualMachineDescriptor d : VirtualMachine.list()) {
            if (d.id().equals(pid)) System.out.println("listed: " + d.displayName());
        }
        VirtualMachine vm = VirtualMachine.attach(pid);
        System.out.println(vm.getSystemProperties().getProperty("told").length());
        System.out.println(vm.getAgentProperties().getProperty("sun.java.command"));
        String address = vm.startLocalManagementAgent();
        System.out.println(address.equals(vm.startLocalManagementAgent()) + " " + address.equals(vm.getAgentProperties().getProperty("com.sun.management.jmxremote.localConnectorAddress")));
        try (JMXConnector c = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
            look(c.getMBeanServerConnection());
        }
        vm.detach();
    }

    static void look(MBeanServerConnection server) throws Exception {
        RuntimeMXBean runtime = ManagementFactory.newPlatformMXBeanProxy(server, "java.lang:type=Runtime", RuntimeMXBean.class);
        System.out.println(runtime.getInputArguments());
        ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(server, "java.lang:type=Threading", ThreadMXBean.class);
        for (ThreadInfo t : threads.dumpAllThreads(true, true)) {
            if (!Set.of("main", "blocked", "waiting", "parked").contains(t.getThreadName())) continue;
            System.out.println(t.getThreadName() + " " + t.getThreadState() + " " + t.getLockedMonitors().length + " " + t.getLockedSynchronizers().length + " " + t.getLockOwnerName());
        }
        String[] words = {"-l"}, signature = {String[].class.getName()};
        String dump = (String) server.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "threadPrint", new Object[] {words}, signature);
        System.out.println(dump.contains("\"main\" #1 "));
        int failed = 0;
        for (ObjectName name : server.queryNames(null, null)) {
            for (MBeanAttributeInfo a : server.getMBeanInfo(name).getAttributes()) {
                try {
                    server.getAttribute(name, a.getName());
                } catch (RuntimeMBeanException e) {
                    if (!(e.getCause() instanceof UnsupportedOperationException)) System.out.println(name + " " + a.getName() + " " + e);
                    failed++;
                }
            }
        }
        System.out.println(failed > 10);
    }
}
