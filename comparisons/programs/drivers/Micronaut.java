package hello;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;

/** A controller with an injected service, and an answer in JSON. */
class Application {
    public static void main(String[] args) {
        EmbeddedServer server = Micronaut.run(Application.class, args).getBean(EmbeddedServer.class);
        System.out.println("ready " + server.getPort());
    }
}

@Serdeable
record Greeting(String hello, int length) {}

@Singleton
class Greeter {
    Greeting greet(String name) {
        return new Greeting(name, name.length());
    }
}

@Controller
class Hello {
    private final Greeter greeter;

    Hello(Greeter greeter) {
        this.greeter = greeter;
    }

    @Get("/hello/{name}")
    Greeting hello(String name) {
        return greeter.greet(name);
    }
}
