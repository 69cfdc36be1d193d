import java.util.*;
import java.util.concurrent.*;

/** Results in the order in which they come. */
public class Completions {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletionService<Integer> done = new ExecutorCompletionService<>(pool);
        done.submit(() -> 1);
        done.submit(() -> 2);
        Check.that(done.take().get() + done.take().get() == 3, "sum");
        pool.shutdown();
    }
}
