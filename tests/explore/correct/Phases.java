import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A phaser whose parties register and leave. */
public class Phases {
    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(1);
        AtomicInteger n = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            phaser.register();
            Check.start(() -> {
                n.incrementAndGet();
                phaser.arriveAndAwaitAdvance();
                Check.that(n.get() >= 2, n);
                phaser.arriveAndDeregister();
            });
        }
        phaser.arriveAndAwaitAdvance();
        Check.that(n.get() == 2, n);
        phaser.arriveAndDeregister();
    }
}
