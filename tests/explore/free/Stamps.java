import java.util.concurrent.locks.StampedLock;

/** A StampedLock: plain data is written under it, and read under it; read optimistically, it is volatile. */
public class Stamps {

    static final StampedLock lock = new StampedLock();
    static int x, y;
    static volatile int v, w;

    static void write() {
        long stamp = lock.writeLock();
        try {
            x++;
            y++;
            v++;
            w++;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(Stamps::write);
        Thread b = new Thread(() -> {
            long stamp = lock.tryOptimisticRead();
            int seenV = v, seenW = w;
            if (stamp != 0 && lock.validate(stamp) && seenV != seenW) throw new AssertionError(seenV + " " + seenW);
            stamp = lock.readLock();
            try {
                if (x != y) throw new AssertionError(x + " " + y);
            } finally {
                lock.unlockRead(stamp);
            }
        });
        a.start();
        b.start();
        write();
        a.join();
        b.join();
    }
}
