import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;

/** A router with a parameter of the path, and an answer in JSON. */
public class VertxWeb {
    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx();
        Router router = Router.router(vertx);
        router.get("/hello/:name").handler(c -> c.json(new JsonObject().put("hello", c.pathParam("name")).put("length", c.pathParam("name").length())));
        vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1")
            .onSuccess(server -> System.out.println("ready " + server.actualPort()))
            .onFailure(e -> {
                e.printStackTrace();
                System.exit(1);
            });
    }
}
