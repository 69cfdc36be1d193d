import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A writer goes on as a reader. */
public class Downgrade {
    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int[] n = new int[1];
        Check.Body body = () -> {
            lock.writeLock().lock();
            int mine = ++n[0];
            lock.readLock().lock();
            lock.writeLock().unlock();
            Check.that(n[0] == mine, mine);
            lock.readLock().unlock();
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(n[0] == 2, n[0]);
    }
}
