import java.net.InetAddress;
import java.net.UnknownHostException;

/** Since 25: messages name a host only if the security property jdk.includeInExceptions permits it. */
public class UnknownHosts {
    public static void main(String[] args) {
        // no resolver has to ask another machine about a name with such a part
        String host = "x".repeat(70) + ".invalid";
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(InetAddress.getByName(host));
            } catch (UnknownHostException e) {
                System.out.println(e.getMessage().contains(host) + " " + e.getMessage().isEmpty() + " " + e.getMessage().startsWith(" "));
            }
        }
    }
}
