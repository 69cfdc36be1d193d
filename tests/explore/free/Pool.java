import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What is written before a task is handed over, and what its result tells of, in a pool of threads. */
public class Pool {

    static int input, output, last;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        input = 5;
        Future<Integer> first = pool.submit(() -> {
            output = input * 2;
            return 1;
        });
        first.get();
        output++;
        pool.execute(() -> last = output);
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.DAYS)) return;
        if (last != 11) throw new AssertionError(last);
    }
}
