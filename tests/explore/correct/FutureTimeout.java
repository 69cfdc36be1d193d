import java.util.*;
import java.util.concurrent.*;

/** A future that is completed, or too late. */
public class FutureTimeout {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> future = new CompletableFuture<Integer>().completeOnTimeout(0, 1, TimeUnit.SECONDS);
        Thread t = Check.start(() -> future.complete(1));
        int n = future.get();
        Check.that(n == 0 || n == 1, n);
        Check.join(t);
    }
}
