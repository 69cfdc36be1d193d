import java.util.*;
import java.util.concurrent.*;

/** Three meet at a barrier, twice. */
public class Barrier {
    public static void main(String[] args) throws Exception {
        int[] rounds = new int[1];
        CyclicBarrier barrier = new CyclicBarrier(3, () -> rounds[0]++);
        Check.Body body = () -> {
            for (int i = 1; i <= 2; i++) {
                barrier.await();
                Check.that(rounds[0] >= i, rounds[0]);
            }
        };
        Check.join(Check.start(body), Check.start(body), Check.start(body));
        Check.that(rounds[0] == 2, rounds[0]);
    }
}
