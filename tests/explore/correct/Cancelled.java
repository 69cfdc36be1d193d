import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A task that is cancelled has run, or has not. */
public class Cancelled {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        AtomicBoolean ran = new AtomicBoolean();
        Future<?> task = pool.submit(() -> ran.set(true));
        if (!task.cancel(true)) {
            Check.that(ran.get(), "it was over");
        }
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            Check.that(pool.isShutdown(), pool);
        }
    }
}
