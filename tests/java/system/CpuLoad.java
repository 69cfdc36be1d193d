import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** The load that the process itself makes, and that of the machine. */
public class CpuLoad {
    static boolean isLoad(double load) {
        return load >= 0 && load <= 1;
    }

    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws Exception {
        OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double first = os.getProcessCpuLoad();
        System.out.println(first >= -1 && first <= 1);
        System.out.println(isLoad(os.getCpuLoad()));
        long until = os.getProcessCpuTime() + 200_000_000;
        while (os.getProcessCpuTime() < until) Thread.onSpinWait();
        double load = os.getProcessCpuLoad();
        System.out.println(load > 0 && load <= 1);
        double machine = os.getCpuLoad();
        System.out.println(machine > 0 && machine <= 1);
        System.out.println(isLoad(os.getSystemCpuLoad()));
        Object attribute = ManagementFactory.getPlatformMBeanServer()
            .getAttribute(new ObjectName("java.lang:type=OperatingSystem"), "CpuLoad");
        System.out.println(isLoad((Double) attribute));
    }
}
