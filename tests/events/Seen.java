import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What the tests of events run: each method returns a number that depends on everything it did. */
public class Seen {
    /** Objects that live short, longer and long, large ones among them. */
    public static int garbage() {
        return garbage(20_000);
    }

    /** The same, with fewer. */
    public static int few() {
        return garbage(1_000);
    }

    private static int garbage(int n) {
        Map<Integer, Object> kept = new HashMap<>();
        int h = 0;
        for (int i = 0; i < n; i++) {
            List<Object> list = new ArrayList<>();
            for (int j = 0; j < i % 7; j++) list.add(new int[j + i % 50]);
            kept.put(i % 500, list);
            if (i % 1000 == 0) kept.put(-1 - i % 3000, new long[50_000]);
            h = h * 31 + list.size() + kept.size();
        }
        return h;
    }

    static final class Gate {
        int passed;

        synchronized void pass() {
            for (int i = 0; i < 3000; i++) passed += i & 1;
        }
    }

    /** Three threads that want the same monitor, again and again. */
    public static int convoy() throws InterruptedException {
        Gate gate = new Gate();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20; k++) gate.pass();
            }, "convoy-" + i);
            threads[i].start();
        }
        for (Thread t : threads) {
            while (t.isAlive()) Thread.onSpinWait();
        }
        return gate.passed;
    }

    private static int turn;

    /** Two threads that hand a turn to each other, once without anybody who notifies. */
    public static int pingpong() throws InterruptedException {
        turn = 0;
        Object lock = new Object();
        Thread other = new Thread(() -> {
            for (int k = 1; k < 20; k += 2) take(lock, k);
        }, "pong");
        other.start();
        for (int k = 0; k < 20; k += 2) take(lock, k);
        other.join();
        synchronized (lock) {
            lock.wait(5);
        }
        Thread.sleep(3);
        return turn;
    }

    private static void take(Object lock, int k) {
        synchronized (lock) {
            while (turn != k) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            turn++;
            lock.notifyAll();
        }
    }

    /** A lock of java.util.concurrent that two threads want. */
    public static int parks() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        int[] sum = {0};
        Runnable work = () -> {
            for (int k = 0; k < 10; k++) {
                lock.lock();
                try {
                    for (int i = 0; i < 3000; i++) sum[0] += i & 1;
                } finally {
                    lock.unlock();
                }
            }
        };
        Thread a = new Thread(work, "parks-a"), b = new Thread(work, "parks-b");
        a.start();
        b.start();
        while (a.isAlive() || b.isAlive()) Thread.onSpinWait();
        LockSupport.parkNanos(lock, 1000);
        return sum[0];
    }

    /** Two threads that wait for each other, and what they do then. */
    public static int deadlock() throws InterruptedException {
        Object one = new StringBuilder(), two = new Object[0];
        boolean[] has = {false, false};
        for (int i = 0; i < 2; i++) {
            int me = i;
            Thread t = new Thread(() -> {
                synchronized (me == 0 ? one : two) {
                    has[me] = true;
                    while (!has[1 - me]) Thread.onSpinWait();
                    synchronized (me == 0 ? two : one) {
                        has[me] = false;
                    }
                }
            }, "dead-" + i);
            t.setDaemon(true);
            t.start();
            while (!has[i]) Thread.onSpinWait();
        }
        Thread.sleep(5);
        return has[0] && has[1] ? 1 : 0;
    }

    /** Calls of all kinds, exceptions through frames, and a stack that overflows. */
    public static int calls() throws Exception {
        int h = 0;
        for (int i = 0; i < 20; i++) {
            try {
                h = h * 31 + through(i, 5);
            } catch (IllegalStateException e) {
                h ^= e.getMessage().length();
            }
        }
        Runnable[] runs = {() -> turn++, new Thread("never"), Seen::none};
        for (Runnable r : runs) r.run();
        h += (int) Seen.class.getDeclaredMethod("through", int.class, int.class).invoke(null, 1, 3);
        try {
            endless(0);
        } catch (StackOverflowError e) {
            h++;
        }
        return h + new int[3].clone().length + Word.say().length();
    }

    private static void none() {
    }

    private static int endless(int n) {
        return endless(n + 1) + 1;
    }

    static synchronized int through(int i, int depth) {
        if (depth == 0) {
            if (i % 3 == 0) throw new IllegalStateException("three");
            return System.identityHashCode("x") & 1;
        }
        try {
            return through(i, depth - 1) + 1;
        } finally {
            turn--;
        }
    }

    /** A few bytecodes. */
    public static int few_bytecodes() {
        int s = 0;
        for (int i = 0; i < 50; i++) s += Math.max(i, 7);
        return s;
    }

    /** What the hook for class files changes. */
    static final class Word {
        static String say() {
            return "before";
        }
    }

    /** What it says. */
    public static int word() {
        return Word.say().equals("behind") ? 1 : 0;
    }
}
