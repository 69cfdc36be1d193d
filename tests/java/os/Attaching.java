import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;

/** Attaching to processes that are no VM, to none, and to itself. */
public class Attaching {
    public static void main(String[] args) throws Exception {
        for (String process : new String[] {"" + ProcessHandle.current().pid(), "999999999", "nobody", "-1"}) {
            try {
                VirtualMachine.attach(process).detach();
            } catch (IOException | AttachNotSupportedException e) {
                System.out.println(e);
            }
        }
        System.out.println(VirtualMachine.list() != null);
    }
}
