import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A fair lock. */
public class FairLock {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        int[] n = new int[1];
        Check.Body add = () -> {
            for (int i = 0; i < 2; i++) {
                lock.lock();
                n[0]++;
                lock.unlock();
            }
        };
        Check.join(Check.start(add), Check.start(add));
        Check.that(n[0] == 4, n[0]);
    }
}
