import java.lang.management.ManagementFactory;

/** RuntimeMXBean.getInputArguments: what the VM was given, each option in one word, and nothing that the launcher adds. */
public class InputArguments {
    public static void main(String[] args) {
        for (String s : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!s.startsWith("-Djava.io.tmpdir=") && !s.equals("-Xint")) System.out.println(s);
        }
    }
}
