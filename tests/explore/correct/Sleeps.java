import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Sleeping until something has happened. */
public class Sleeps {
    public static void main(String[] args) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread t = Check.start(() -> {
            Thread.sleep(5);
            done.set(true);
        });
        while (!done.get()) {
            Thread.sleep(1);
        }
        Check.join(t);
    }
}
