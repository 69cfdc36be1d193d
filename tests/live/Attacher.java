import com.sun.tools.attach.VirtualMachine;

/** Attaches to a process, asks it something, and detaches: args[1] times. */
public class Attacher {
    public static void main(String[] args) throws Exception {
        int good = 0;
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            VirtualMachine vm = VirtualMachine.attach(args[0]);
            if (vm.getSystemProperties().getProperty("java.vm.name").equals("rjvm")) {
                good++;
            }
            vm.detach();
        }
        System.out.println("good " + good);
    }
}
