import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A condition that is waited for in short times. */
public class TimedCondition {
    public static void main(String[] args) throws Exception {
        Lock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        boolean[] done = new boolean[1];
        Thread t = Check.start(() -> {
            lock.lock();
            done[0] = true;
            changed.signalAll();
            lock.unlock();
        });
        lock.lock();
        while (!done[0]) {
            changed.awaitNanos(1000);
        }
        lock.unlock();
        Check.join(t);
    }
}
