/** Each thread has a mutable object of its own in a ThreadLocal. */
public class Locals {

    static final ThreadLocal<int[]> own = ThreadLocal.withInitial(() -> new int[1]);

    public static void main(String[] args) throws Exception {
        Runnable counts = () -> {
            for (int i = 0; i < 3; i++) own.get()[0]++;
            if (own.get()[0] != 3) throw new AssertionError(own.get()[0]);
            own.remove();
        };
        Thread a = new Thread(counts), b = new Thread(counts);
        a.start();
        b.start();
        counts.run();
        a.join();
        b.join();
    }
}
