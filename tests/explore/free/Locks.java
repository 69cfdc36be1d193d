import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Plain variables under ReentrantLock, with a condition, and under a ReadWriteLock. */
public class Locks {

    static final ReentrantLock lock = new ReentrantLock();
    static final Condition filled = lock.newCondition();
    static final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
    static int slot, table;

    static int take() throws InterruptedException {
        lock.lock();
        try {
            while (slot == 0) filled.await();
            int taken = slot;
            slot = 0;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    static void put(int n) {
        lock.lock();
        try {
            slot = n;
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    static int read() {
        rw.readLock().lock();
        try {
            return table;
        } finally {
            rw.readLock().unlock();
        }
    }

    static void write(int n) {
        rw.writeLock().lock();
        try {
            table += n;
        } finally {
            rw.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            write(1);
            put(7);
        });
        a.start();
        write(read() + 2);
        if (take() != 7) throw new AssertionError();
        a.join();
        if (read() < 3) throw new AssertionError(read());
    }
}
