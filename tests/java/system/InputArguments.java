import java.lang.management.ManagementFactory;

/** RuntimeMXBean.getInputArguments: what the VM was given, each option in one word, and nothing that the launcher adds. */
public class InputArguments {
    public static void main(String[] args) {
        boolean begun = false;
        for (String s : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            // the test's options stand before those of this program
            begun |= s.equals("-Xmx200m");
            if (begun && !s.startsWith("-Djava.io.tmpdir=") && !s.equals("-Xint")) System.out.println(s);
        }
    }
}
