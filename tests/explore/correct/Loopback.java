import java.net.*;

/** A server and its client. */
public class Loopback {
    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread t = Check.start(() -> {
                try (Socket socket = server.accept()) {
                    socket.getOutputStream().write(socket.getInputStream().read() + 1);
                }
            });
            try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                socket.getOutputStream().write(41);
                Check.that(socket.getInputStream().read() == 42, "answer");
            }
            Check.join(t);
        }
    }
}
