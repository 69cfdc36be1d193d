package hello;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/** A resource with an injected bean, and an answer in JSON. */
@Path("/hello")
public class Hello {
    public record Greeting(String hello, int length) {}

    @Singleton
    public static class Greeter {
        Greeting greet(String name) {
            return new Greeting(name, name.length());
        }
    }

    @Inject
    Greeter greeter;

    @GET
    @Path("/{name}")
    public Greeting hello(String name) {
        return greeter.greet(name);
    }

    /** Prints the port as soon as the server accepts connections. */
    void started(@Observes StartupEvent event) {
        int port = Integer.getInteger("quarkus.http.port");
        new Thread(() -> {
            while (true) {
                try (Socket socket = new Socket("127.0.0.1", port)) {
                    System.out.println("ready " + port);
                    return;
                } catch (IOException e) {
                    LockSupport.parkNanos(20_000_000);
                }
            }
        }).start();
    }
}
