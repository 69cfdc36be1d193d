import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Both have met, or neither has. */
public class TimedExchange {
    public static void main(String[] args) throws Exception {
        Exchanger<String> exchanger = new Exchanger<>();
        AtomicInteger met = new AtomicInteger();
        Check.Body body = () -> {
            try {
                exchanger.exchange("x", 1, TimeUnit.MILLISECONDS);
                met.incrementAndGet();
            } catch (TimeoutException e) {
                // the other may come later
            }
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(met.get() != 1, met);
    }
}
