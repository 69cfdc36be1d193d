import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The load that the process itself makes. */
public class CpuLoad {
    public static void main(String[] args) {
        OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double first = os.getProcessCpuLoad();
        System.out.println(first >= -1 && first <= 1);
        long until = os.getProcessCpuTime() + 200_000_000;
        while (os.getProcessCpuTime() < until) Thread.onSpinWait();
        double load = os.getProcessCpuLoad();
        System.out.println(load > 0 && load <= 1);
    }
}
