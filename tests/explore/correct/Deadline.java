import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Who looks at the clock until its time is over. */
public class Deadline {
    public static void main(String[] args) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread t = Check.start(() -> done.set(true));
        long end = System.nanoTime() + 100_000;
        while (!done.get() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        Check.join(t);
        Check.that(done.get(), "done");
    }
}
