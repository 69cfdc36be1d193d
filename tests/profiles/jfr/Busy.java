import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Something for each kind of event: threads, sleep, wait, park, a contended monitor, allocation, collections, classes. */
public class Busy {
    static final Object LOCK = new Object();
    static byte[] last;

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int allocate(int times) {
        List<byte[]> held = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            last = new byte[10_000];
            held.add(last);
            if (held.size() > 100) {
                held.clear();
            }
        }
        return held.size();
    }

    public static void main(String[] args) throws Exception {
        boolean[] held = {false};
        Thread holder = new Thread(() -> {
            synchronized (LOCK) {
                held[0] = true;
                try {
                    Thread.sleep(50);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }, "holder");
        holder.start();
        while (!held[0]) {
            Thread.yield();
        }
        synchronized (LOCK) {
            System.out.println("entered");
        }
        holder.join();
        Thread parker = new Thread(() -> LockSupport.parkNanos(LOCK, 30_000_000L), "parker");
        parker.start();
        parker.join();
        synchronized (LOCK) {
            LOCK.wait(25);
        }
        System.out.println(allocate(2_000));
        System.gc();
        System.out.println(fib(22));
    }
}
