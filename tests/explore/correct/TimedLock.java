import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A lock that is waited for in short times, again and again. */
public class TimedLock {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        int[] n = new int[1];
        Check.Body add = () -> {
            while (!lock.tryLock(1, TimeUnit.MILLISECONDS)) {
                Thread.onSpinWait();
            }
            n[0]++;
            lock.unlock();
        };
        Check.join(Check.start(add), Check.start(add), Check.start(add));
        Check.that(n[0] == 3, n[0]);
    }
}
