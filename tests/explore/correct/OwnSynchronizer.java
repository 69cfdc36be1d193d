import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** A mutex made of AbstractQueuedSynchronizer. */
public class OwnSynchronizer {
    static class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int n) {
            return compareAndSetState(0, 1);
        }

        @Override
        protected boolean tryRelease(int n) {
            setState(0);
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        Mutex mutex = new Mutex();
        int[] n = new int[1];
        Check.Body add = () -> {
            for (int i = 0; i < 2; i++) {
                mutex.acquire(1);
                n[0]++;
                mutex.release(1);
            }
        };
        Check.join(Check.start(add), Check.start(add));
        Check.that(n[0] == 4, n[0]);
    }
}
