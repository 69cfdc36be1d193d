package app;

/** Native methods that are closures of the embedder. */
public class Host {
    int state = 10;

    static native int add(int a, int b);
    static native String greet(String name);
    static native void log(String line);
    static native int[] doubled(int[] v);
    static native Object any(Object o);
    static native int fails(int how);
    native int bump(int by);
    native int ignoring(int by);
    static native long back(int depth);
    static native int panics();
    static native int churns(int n);

    static long again(int depth) {
        return depth == 0 ? 1 : 2 * back(depth - 1);
    }

    static String caught(int how) {
        try {
            return "returned " + fails(how);
        } catch (Throwable t) {
            return t.getClass().getName() + ": " + t.getMessage() + " at " + t.getStackTrace()[0].getMethodName();
        }
    }

    static int bumped(int by) {
        Host h = new Host();
        return h.bump(by) + h.state;
    }

    static int thrower(int n) {
        if (n > 0) {
            throw new IllegalArgumentException("thrower " + n);
        }
        return n;
    }

    static synchronized int locked(int n) {
        return n + 1;
    }

    static native int callsLocked(int n);

    static int threads(int n) throws InterruptedException {
        int[] sum = new int[1];
        Thread[] all = new Thread[n];
        for (int i = 0; i < n; i++) {
            int k = i;
            all[i] = new Thread(() -> {
                int mine = 0;
                for (int j = 0; j < 20; j++) {
                    mine += callsLocked(k + j);
                }
                synchronized (sum) {
                    sum[0] += mine;
                }
            });
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
        return sum[0];
    }
}
