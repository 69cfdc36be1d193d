import java.util.*;
import java.util.concurrent.*;

/** A fair queue without places, and offers that are given up. */
public class FairHandover {
    public static void main(String[] args) throws Exception {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>(true);
        int[] sent = new int[1];
        Thread t = Check.start(() -> {
            for (int i = 0; i < 2; i++) {
                if (queue.offer(1, 1, TimeUnit.MICROSECONDS)) {
                    sent[0]++;
                }
            }
        });
        int received = 0;
        for (int i = 0; i < 2; i++) {
            if (queue.poll(1, TimeUnit.MICROSECONDS) != null) {
                received++;
            }
        }
        Check.join(t);
        Check.that(sent[0] == received, sent[0], received);
    }
}
