import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A barrier that breaks by a timeout is broken for all. */
public class BrokenBarrier {
    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        AtomicInteger met = new AtomicInteger(), broken = new AtomicInteger();
        Check.Body body = () -> {
            try {
                barrier.await(1, TimeUnit.MILLISECONDS);
                met.incrementAndGet();
            } catch (BrokenBarrierException | TimeoutException e) {
                broken.incrementAndGet();
            }
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(met.get() == 2 || broken.get() == 2, met, broken);
    }
}
