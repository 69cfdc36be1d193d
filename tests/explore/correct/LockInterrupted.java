import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A thread that waits for a lock is interrupted, or has the lock. */
public class LockInterrupted {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        int[] n = new int[2];
        lock.lock();
        Thread t = Check.start(() -> {
            try {
                lock.lockInterruptibly();
                n[0]++;
                lock.unlock();
            } catch (InterruptedException e) {
                n[1]++;
            }
        });
        t.interrupt();
        lock.unlock();
        Check.join(t);
        Check.that(n[0] + n[1] == 1, n[0], n[1]);
    }
}
