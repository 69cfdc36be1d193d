import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Since 25: a diagnostic command with -h, -help or --help is a request for help. */
public class CommandHelp {
    static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    static String run(String operation, String... arguments) throws Exception {
        ObjectName name = new ObjectName("com.sun.management:type=DiagnosticCommand");
        try {
            return (String) SERVER.invoke(name, operation, new Object[] {arguments}, new String[] {String[].class.getName()});
        } catch (Exception e) {
            Throwable t = e;
            while (t.getCause() != null) t = t.getCause();
            return t.getMessage();
        }
    }

    public static void main(String[] args) throws Exception {
        String help = run("help", "GC.class_histogram");
        System.out.println(help.startsWith("GC.class_histogram\n") + " " + help.contains("Impact: "));
        for (String[] words : new String[][] {{"-h"}, {"-help"}, {"--help"}, {"-all", "-help"}, {"-help", "other"}}) {
            System.out.println(run("gcClassHistogram", words).equals(help));
        }
        for (String word : new String[] {"-hello", "--helpme"}) System.out.println(run("gcClassHistogram", word));
        System.out.println(run("vmMetaspace", "basic").contains("used"));

        VMOption agents = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("EnableDynamicAgentLoading");
        System.out.println(agents.getValue() + " " + agents.isWriteable() + " " + agents.getOrigin());
    }
}
