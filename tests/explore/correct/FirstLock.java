import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** The first users of a lock make its queue together. */
public class FirstLock {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        int[] n = new int[1];
        Check.Body add = () -> {
            lock.lock();
            try {
                n[0]++;
            } finally {
                lock.unlock();
            }
        };
        Thread a = Check.start(add), b = Check.start(add);
        add.run();
        Check.join(a, b);
        Check.that(n[0] == 3, n[0]);
    }
}
