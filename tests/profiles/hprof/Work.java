import java.util.ArrayList;
import java.util.List;

/** Allocates at known sites, calls known methods a known number of times, and contends for a lock. */
public class Work {
    static final List<Object> KEPT = new ArrayList<>(1000);

    static final class Box {
        final int n;

        Box(int n) {
            this.n = n;
        }
    }

    static Object box(int n) {
        return new Box(n);
    }

    static void keep(int n) {
        for (int i = 0; i < n; i++) {
            KEPT.add(box(i));
        }
    }

    static void drop(int n) {
        for (int i = 0; i < n; i++) {
            box(i);
        }
    }

    static int spin(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i ^ n;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        keep(300);
        drop(700);
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            sum += spin(2000);
        }
        Object lock = new Object();
        Runnable body = () -> {
            synchronized (lock) {
                spin(500000);
            }
        };
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(body, "convoy-" + i);
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(sum);
    }
}
