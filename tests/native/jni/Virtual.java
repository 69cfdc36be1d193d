import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/** Since 21: virtual threads inside native code, each of which calls back into Java. */
public class Virtual {
    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnisuite");
        int n = 1000;
        AtomicInteger sum = new AtomicInteger();
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            int number = i;
            IntUnaryOperator f = x -> {
                Thread.yield();
                return x * number + (Thread.currentThread().isVirtual() ? 1 : 0);
            };
            threads[i] = Thread.ofVirtual().start(() -> sum.addAndGet(World.upcalls(f, 5)));
        }
        for (Thread t : threads) t.join();
        System.out.println(sum.get() + " " + virtual(Thread.currentThread()) + " " + virtual(threads[0]) + " " + virtual("x"));
    }
    static native boolean virtual(Object o);
}
