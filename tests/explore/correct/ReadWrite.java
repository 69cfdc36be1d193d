import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Readers see both halves of what a writer has written. */
public class ReadWrite {
    public static void main(String[] args) throws Exception {
        ReadWriteLock lock = new ReentrantReadWriteLock();
        int[] pair = new int[2];
        Check.Body read = () -> {
            lock.readLock().lock();
            Check.that(pair[0] == pair[1], pair[0], pair[1]);
            lock.readLock().unlock();
        };
        Thread a = Check.start(read), b = Check.start(read);
        for (int i = 0; i < 2; i++) {
            lock.writeLock().lock();
            pair[0]++;
            pair[1]++;
            lock.writeLock().unlock();
        }
        Check.join(a, b);
    }
}
