import java.util.concurrent.*;

/** A queue by priority. */
public class PriorityQueue {
    public static void main(String[] args) throws Exception {
        BlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
        int[] sum = new int[2];
        Thread a = Check.start(() -> sum[0] = queue.take() + queue.take());
        Thread b = Check.start(() -> {
            queue.put(1);
            queue.put(2);
        });
        queue.put(3);
        queue.put(4);
        sum[1] = queue.take() + queue.take();
        Check.join(a, b);
        Check.that(sum[0] + sum[1] == 10, sum[0], sum[1]);
    }
}
