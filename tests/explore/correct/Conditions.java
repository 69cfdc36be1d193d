import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A buffer of one place with two conditions. */
public class Conditions {
    public static void main(String[] args) throws Exception {
        Lock lock = new ReentrantLock();
        Condition full = lock.newCondition(), empty = lock.newCondition();
        int[] slot = new int[1];
        int[] sum = new int[1];
        Thread producer = Check.start(() -> {
            for (int i = 1; i <= 3; i++) {
                lock.lock();
                while (slot[0] != 0) {
                    empty.await();
                }
                slot[0] = i;
                full.signal();
                lock.unlock();
            }
        });
        for (int i = 1; i <= 3; i++) {
            lock.lock();
            while (slot[0] == 0) {
                full.await();
            }
            sum[0] += slot[0];
            slot[0] = 0;
            empty.signal();
            lock.unlock();
        }
        Check.join(producer);
        Check.that(sum[0] == 6, sum[0]);
    }
}
