import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A lock whose waiters look at the node of the one before (CLH). */
public class QueueLock {
    public static void main(String[] args) throws Exception {
        AtomicReference<AtomicBoolean> tail = new AtomicReference<>(new AtomicBoolean());
        int[] n = new int[1];
        Check.Body body = () -> {
            AtomicBoolean mine = new AtomicBoolean(true);
            AtomicBoolean before = tail.getAndSet(mine);
            while (before.get()) {
            }
            n[0]++;
            mine.set(false);
        };
        Check.join(Check.start(body), Check.start(body), Check.start(body));
        Check.that(n[0] == 3, n[0]);
    }
}
