import java.util.concurrent.locks.ReentrantLock;

/** Programs whose threads hold each other up. */
public class Locked {
    /** The monitor that all queue up for. */
    static final class Till {
        int paid;
    }

    static final Till TILL = new Till();
    static final ReentrantLock DOOR = new ReentrantLock();
    static int passed;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("deadlock")) {
            deadlock();
            return;
        }
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            boolean first = i % 2 == 0;
            threads[i] = new Thread(() -> customer(first), "customer-" + i);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        synchronized (TILL) {
            TILL.wait(2);
        }
        System.out.println(TILL.paid + " " + passed);
    }

    static void customer(boolean first) {
        for (int k = 0; k < 25; k++) {
            if (first) pay();
            pass();
            if (!first) pay();
        }
    }

    static void pay() {
        synchronized (TILL) {
            for (int i = 0; i < 20_000; i++) TILL.paid += i & 1;
        }
    }

    static void pass() {
        DOOR.lock();
        try {
            for (int i = 0; i < 20_000; i++) passed += i & 1;
        } finally {
            DOOR.unlock();
        }
    }

    static void deadlock() throws Exception {
        Object one = new StringBuilder(), two = new Object[0];
        boolean[] has = {false, false};
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                synchronized (me == 0 ? one : two) {
                    has[me] = true;
                    while (!has[1 - me]) Thread.onSpinWait();
                    synchronized (me == 0 ? two : one) {
                        has[me] = false;
                    }
                }
            }, "philosopher-" + i);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }
}
