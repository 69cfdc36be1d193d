import java.util.*;
import java.util.concurrent.*;

/** Tasks of a pool, and their results. */
public class FixedPool {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Integer> a = pool.submit(() -> 1), b = pool.submit(() -> 2);
        Check.that(a.get() + b.get() == 3, "sum");
        pool.shutdown();
        Check.that(pool.awaitTermination(1, TimeUnit.DAYS) || pool.isShutdown(), pool);
    }
}
