import java.util.*;
import java.util.concurrent.*;

/** The first result of several tasks. */
public class AnyOf {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2);
        int first = pool.invokeAny(tasks);
        Check.that(first == 1 || first == 2, first);
        pool.shutdownNow();
    }
}
