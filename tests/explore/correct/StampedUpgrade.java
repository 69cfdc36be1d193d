import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A reader becomes a writer where it can, and else begins anew. */
public class StampedUpgrade {
    public static void main(String[] args) throws Exception {
        StampedLock lock = new StampedLock();
        int[] n = new int[1];
        Check.Body add = () -> {
            long stamp = lock.readLock();
            try {
                while (true) {
                    long write = lock.tryConvertToWriteLock(stamp);
                    if (write != 0) {
                        stamp = write;
                        n[0]++;
                        break;
                    }
                    lock.unlockRead(stamp);
                    stamp = lock.writeLock();
                }
            } finally {
                lock.unlock(stamp);
            }
        };
        Check.join(Check.start(add), Check.start(add));
        Check.that(n[0] == 2, n[0]);
    }
}
