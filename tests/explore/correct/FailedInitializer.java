import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A class whose initializer fails fails for all. */
public class FailedInitializer {
    static class Bad {
        static final int n = Integer.parseInt("x");

        static void touch() {
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger failed = new AtomicInteger();
        Check.Body body = () -> {
            try {
                Bad.touch();
            } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
                failed.incrementAndGet();
            }
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(failed.get() == 2, failed);
    }
}
