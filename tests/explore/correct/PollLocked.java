import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A flag under a lock that is asked again and again. */
public class PollLocked {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        boolean[] done = new boolean[1];
        Thread t = Check.start(() -> {
            lock.lock();
            done[0] = true;
            lock.unlock();
        });
        boolean seen = false;
        while (!seen) {
            lock.lock();
            seen = done[0];
            lock.unlock();
        }
        Check.join(t);
    }
}
