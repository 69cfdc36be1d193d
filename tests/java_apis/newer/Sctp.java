import com.sun.nio.sctp.SctpChannel;
import com.sun.nio.sctp.SctpMultiChannel;
import com.sun.nio.sctp.SctpServerChannel;

/** Since 25: channels of SCTP need a library of the system. Without it, the class library reports that they are not supported. */
public class Sctp {
    interface Opening {
        Object open() throws Exception;
    }

    static void open(String name, Opening opening) {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(name + ": " + opening.open());
            } catch (Throwable t) {
                for (Throwable c = t; c != null; c = c.getCause()) {
                    System.out.println(name + ": " + c);
                }
            }
        }
    }

    public static void main(String[] args) {
        open("channel", SctpChannel::open);
        open("server", SctpServerChannel::open);
        open("multi", SctpMultiChannel::open);
    }
}
