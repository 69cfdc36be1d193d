import java.util.*;
import java.util.concurrent.*;

/** Futures one after the other, in the common pool. */
public class CommonPool {
    public static void main(String[] args) throws Exception {
        int n = CompletableFuture.supplyAsync(() -> 1).thenApplyAsync(i -> i + 1).thenCombine(
            CompletableFuture.supplyAsync(() -> 5), Integer::sum).get();
        Check.that(n == 7, n);
    }
}
