import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/** Plain results, read when a latch or a barrier has been passed. */
public class Latches {

    static final int[] results = new int[2];
    static int total;

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        CyclicBarrier barrier = new CyclicBarrier(2, () -> total = results[0] + results[1]);
        for (int i = 0; i < 2; i++) {
            int n = i;
            new Thread(() -> {
                try {
                    results[n] = n + 1;
                    barrier.await();
                    if (total != 3) throw new AssertionError(total);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                done.countDown();
            }).start();
        }
        done.await();
        results[0] += results[1];
        if (results[0] != 3) throw new AssertionError(results[0]);
    }
}
