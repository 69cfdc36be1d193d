import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/** A server whose answers nobody can foresee: Live FILE CLIENTS. */
public class Live {
    static long total;
    static long[] seeds = new long[1];

    public static void main(String[] args) throws Exception {
        seeds[0] = System.nanoTime() ^ new SecureRandom().nextLong();
        int clients = Integer.parseInt(args[1]);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            System.out.println("port " + server.getLocalPort());
            for (int n = 1; n <= clients; n++) {
                try (Socket client = server.accept()) {
                    answer(client, n);
                }
            }
        }
        Files.writeString(Path.of(args[0]), "total " + total);
        System.out.println("total " + total);
    }

    static void answer(Socket client, int n) throws Exception {
        int word = client.getInputStream().read();
        long value = (seeds[0] + word * 31L) >>> (n + 16);
        total += value;
        client.getOutputStream().write((value + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
