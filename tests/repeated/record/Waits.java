import java.util.concurrent.locks.LockSupport;

/** Threads that wait in the middle of bytecodes, after operands have been pushed: for initializers, monitors and class loaders. */
public class Waits {
    static final int THREADS = 4;
    static int total;
    final Object lock = new Object();
    Object made;
    int sum;

    static class First {
        final int of;
        static {
            pause();
        }
        First(Waits by, int of) {
            this.of = of + by.sum;
        }
    }

    static class Second {
        static int value;
        static {
            pause();
            value = 5;
        }
        static int twice(int a, int b) {
            return a * 2 + b;
        }
    }

    static class Third {
        static long value;
        static {
            pause();
        }
    }

    static class Fourth {
        static {
            pause();
        }
        static int twice(int a, int b) {
            return a * 2 + b;
        }
    }

    /** Lets the others go on meanwhile. */
    static void pause() {
        for (int i = 0; i < 3; i++) {
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Thread.yield();
        }
    }

    void run(int n) {
        int a = n;
        int b = n * 3;
        // each waits with other operands below
        made = new First(this, a);
        sum += a + b * Second.value;
        Third.value = a + (long) b;
        sum += a + Fourth.twice(b, a);
        for (int i = 0; i < 20; i++) {
            int c = i + n;
            synchronized (lock) {
                sum += c;
                if (i % 5 == n) {
                    pause();
                }
            }
            enter(c, i);
            LockSupport.parkNanos(1000);
        }
    }

    synchronized void enter(int c, int i) {
        sum += c * 2;
        if (i % 7 == 0) {
            pause();
        }
    }

    public static void main(String[] args) throws Exception {
        Waits waits = new Waits();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int n = i;
            threads[i] = new Thread(() -> waits.run(n));
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(waits.sum + " " + ((First) waits.made).getClass().getName() + " " + Second.twice(1, 2));
    }
}
