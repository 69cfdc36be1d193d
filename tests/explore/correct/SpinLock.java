import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A lock that is waited for in a loop: test and set. */
public class SpinLock {
    public static void main(String[] args) throws Exception {
        AtomicBoolean lock = new AtomicBoolean();
        int[] n = new int[1];
        Check.Body body = () -> {
            while (lock.getAndSet(true)) {
                Thread.onSpinWait();
            }
            n[0]++;
            lock.set(false);
        };
        Check.join(Check.start(body), Check.start(body), Check.start(body));
        Check.that(n[0] == 3, n[0]);
    }
}
