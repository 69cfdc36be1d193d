import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Optimistic reads are repeated where somebody has written. */
public class Stamped {
    public static void main(String[] args) throws Exception {
        StampedLock lock = new StampedLock();
        int[] pair = new int[2];
        Thread t = Check.start(() -> {
            for (int i = 0; i < 2; i++) {
                long stamp = lock.writeLock();
                pair[0]++;
                pair[1]++;
                lock.unlockWrite(stamp);
            }
        });
        for (int i = 0; i < 2; i++) {
            long stamp = lock.tryOptimisticRead();
            int a = pair[0], b = pair[1];
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                a = pair[0];
                b = pair[1];
                lock.unlockRead(stamp);
            }
            Check.that(a == b, a, b);
        }
        Check.join(t);
    }
}
