import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Three threads and two permits. */
public class Permits {
    public static void main(String[] args) throws Exception {
        Semaphore permits = new Semaphore(2);
        AtomicInteger inside = new AtomicInteger();
        Check.Body body = () -> {
            permits.acquire();
            Check.that(inside.incrementAndGet() <= 2, inside);
            inside.decrementAndGet();
            permits.release();
        };
        Check.join(Check.start(body), Check.start(body), Check.start(body));
        Check.that(permits.availablePermits() == 2, permits);
    }
}
