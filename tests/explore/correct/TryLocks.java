import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Two locks in two orders, given up where one is taken. */
public class TryLocks {
    static void both(ReentrantLock a, ReentrantLock b, int[] n) {
        while (true) {
            a.lock();
            try {
                if (b.tryLock()) {
                    try {
                        n[0]++;
                        return;
                    } finally {
                        b.unlock();
                    }
                }
            } finally {
                a.unlock();
            }
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
        int[] n = new int[1];
        Thread t = Check.start(() -> both(a, b, n)), u = Check.start(() -> both(b, a, n));
        Check.join(t, u);
        Check.that(n[0] == 2, n[0]);
    }
}
