import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;

/** Since 25: logs to a file, or of some tags, do not make class loading verbose. */
public class Verbosity {
    public static void main(String[] args) {
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        StringBuilder seen = new StringBuilder();
        seen.append(classes.isVerbose());
        classes.setVerbose(false);
        seen.append(' ').append(classes.isVerbose());
        classes.setVerbose(true);
        boolean on = classes.isVerbose();
        classes.setVerbose(false);
        seen.append(' ').append(on).append(' ').append(classes.isVerbose());
        System.out.println(seen);
    }
}
