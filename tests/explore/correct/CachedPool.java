import java.util.*;
import java.util.concurrent.*;

/** A pool whose threads end after a time. */
public class CachedPool {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3);
        int sum = 0;
        for (Future<Integer> f : pool.invokeAll(tasks)) {
            sum += f.get();
        }
        Check.that(sum == 6, sum);
        pool.shutdown();
    }
}
