import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** What a pool can't take is run by who gives it. */
public class CallerRuns {
    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        AtomicInteger n = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            pool.execute(n::incrementAndGet);
        }
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            Thread.yield();
        }
        Check.that(n.get() == 4, n);
    }
}
