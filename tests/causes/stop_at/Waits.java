import java.util.concurrent.CountDownLatch;

/** A thread that waits with a value which the main thread does not look at before long. */
public class Waits {
    public static void main(String[] args) throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        Thread worker = new Thread(() -> work(ready, Integer.getInteger("limit")), "worker");
        worker.setDaemon(true);
        worker.start();
        ready.await();
        int sum = 0;
        for (int i = 0; i < 10_000; i++) {
            sum += i;
        }
        System.out.println(Integer.getInteger("limit") > 1 ? sum : -sum);
    }

    static void work(CountDownLatch ready, int limit) {
        ready.countDown();
        synchronized (ready) {
            try {
                ready.wait();
            } catch (InterruptedException e) {
                System.out.println(limit);
            }
        }
    }
}
