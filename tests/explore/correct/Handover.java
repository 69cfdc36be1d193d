import java.util.*;
import java.util.concurrent.*;

/** A queue without places. */
public class Handover {
    public static void main(String[] args) throws Exception {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        int[] sum = new int[1];
        Thread t = Check.start(() -> {
            queue.put(1);
            queue.put(2);
        });
        sum[0] = queue.take() + queue.take();
        Check.join(t);
        Check.that(sum[0] == 3, sum[0]);
    }
}
