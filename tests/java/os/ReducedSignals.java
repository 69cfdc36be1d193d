/** The same where the VM keeps away from signals: those that end a program are the system's, and others do not come. */
public class ReducedSignals {
    public static void main(String[] args) throws Exception {
        Signals.main(args);
    }
}
