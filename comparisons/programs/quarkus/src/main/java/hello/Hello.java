package hello;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

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

    /** Prints the port, which Quarkus writes to the property in place of 0 once the server listens. */
    void started(@Observes StartupEvent event) {
        new Thread(() -> {
            try {
                while (System.getProperty("quarkus.http.port").equals("0")) Thread.sleep(20);
                System.out.println("ready " + System.getProperty("quarkus.http.port"));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
    }
}
