import java.util.*;
import java.util.concurrent.*;

/** A future that one of two completes. */
public class Completed {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        boolean[] won = new boolean[2];
        Thread a = Check.start(() -> won[0] = future.complete(0));
        Thread b = Check.start(() -> won[1] = future.complete(1));
        int first = future.get();
        Check.join(a, b);
        Check.that(won[first] && !won[1 - first], first);
    }
}
