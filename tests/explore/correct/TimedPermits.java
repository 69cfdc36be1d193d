import java.util.*;
import java.util.concurrent.*;

/** Permits that nobody gives are waited for by three threads. */
public class TimedPermits {
    public static void main(String[] args) throws Exception {
        Semaphore permits = new Semaphore(0);
        Check.Body body = () -> {
            for (int i = 0; i < 2; i++) {
                Check.that(!permits.tryAcquire(1, TimeUnit.MICROSECONDS), permits);
            }
        };
        Check.join(Check.start(body), Check.start(body), Check.start(body));
    }
}
