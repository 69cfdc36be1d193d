import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A worker that counts until it is to stop. */
public class StopFlag {
    public static void main(String[] args) throws Exception {
        AtomicLong count = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        Thread t = Check.start(() -> {
            while (!stop.get()) {
                count.incrementAndGet();
            }
        });
        stop.set(true);
        Check.join(t);
    }
}
