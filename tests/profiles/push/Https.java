import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server over TLS that tells what it is sent, until its input ends: Https KEYSTORE PASSWORD. */
public class Https {
    public static void main(String[] args) throws Exception {
        char[] password = args[1].toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(KeyStore.getInstance(new File(args[0]), password), password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/taken", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1).strip();
            System.out.println(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            for (String header : new String[] {"X-Key", "Content-Type"})
                System.out.println(header + ": " + exchange.getRequestHeaders().getFirst(header));
            String[] lines = body.split("\r\n");
            System.out.println(lines[0] + " ... " + lines[lines.length - 1]);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.createContext("/refused", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] why = "not\nyou".getBytes();
            exchange.sendResponseHeaders(403, why.length);
            exchange.getResponseBody().write(why);
            exchange.close();
        });
        server.start();
        System.out.println("https://127.0.0.1:" + server.getAddress().getPort());
        System.in.read();
        server.stop(0);
    }
}
