import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Counters of each kind. */
public class Counters {
    public static void main(String[] args) throws Exception {
        AtomicInteger a = new AtomicInteger();
        AtomicLong b = new AtomicLong();
        LongAdder c = new LongAdder();
        LongAccumulator d = new LongAccumulator(Long::max, 0);
        Check.Body body = () -> {
            a.incrementAndGet();
            b.getAndAdd(2);
            c.increment();
            d.accumulate(a.get());
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(a.get() == 2 && b.get() == 4 && c.sum() == 2 && d.get() == 2, a, b, c, d);
    }
}
