import java.util.*;
import java.util.concurrent.*;

/** A task that is to be run later, and one that is repeated. */
public class Scheduled {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        CountDownLatch twice = new CountDownLatch(2);
        Future<?> repeated = pool.scheduleAtFixedRate(twice::countDown, 1, 1, TimeUnit.MILLISECONDS);
        Check.that(pool.schedule(() -> 7, 1, TimeUnit.SECONDS).get() == 7, "later");
        twice.await();
        repeated.cancel(false);
        pool.shutdown();
    }
}
