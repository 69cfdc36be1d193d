import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** The same in a monitor, with a count that others see. */
public class PollSynchronized {
    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        AtomicInteger looks = new AtomicInteger();
        boolean[] done = new boolean[1];
        Thread t = Check.start(() -> {
            looks.incrementAndGet();
            synchronized (monitor) {
                done[0] = true;
            }
        });
        boolean seen = false;
        while (!seen) {
            looks.incrementAndGet();
            synchronized (monitor) {
                seen = done[0];
            }
        }
        Check.join(t);
    }
}
