import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/** A thousand threads inside native code at once, each of which calls back into Java. */
public class Threads {
    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnisuite");
        int n = 1000;
        CountDownLatch all = new CountDownLatch(n);
        AtomicInteger sum = new AtomicInteger();
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            int number = i;
            IntUnaryOperator f = x -> {
                if (x == 0) {
                    all.countDown();
                    try {
                        all.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                return x * number;
            };
            threads[i] = new Thread(() -> sum.addAndGet(World.upcalls(f, 5)));
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(sum.get());
    }
}
