import io.helidon.webserver.WebServer;

/** A web server on virtual threads. */
public class HelidonSe {
    public static void main(String[] args) {
        java.util.logging.LogManager.getLogManager().reset();
        WebServer server = WebServer.builder().host("127.0.0.1").port(0).routing(r -> r
            .get("/greet/{name}", (request, response) -> response.send(
                "hello " + request.path().pathParameters().get("name") + ", virtual: " + Thread.currentThread().isVirtual()))).build().start();
        System.out.println("ready " + server.port());
    }
}
