import java.util.*;
import java.util.concurrent.*;

/** A fair semaphore as a lock. */
public class FairPermits {
    public static void main(String[] args) throws Exception {
        Semaphore permits = new Semaphore(1, true);
        int[] n = new int[1];
        Check.Body body = () -> {
            permits.acquireUninterruptibly();
            n[0]++;
            permits.release();
        };
        Check.join(Check.start(body), Check.start(body), Check.start(body));
        Check.that(n[0] == 3, n[0]);
    }
}
