public class Work {
    static Object kept;

    static int sum(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i % 7;
        }
        return sum;
    }

    /** Two threads that do the same. */
    static void twice(Runnable code) throws Exception {
        Thread a = new Thread(code, "a"), b = new Thread(code, "b");
        a.start();
        b.start();
        a.join();
        b.join();
    }

    static void arrays(int n) {
        Object[] all = new Object[n];
        for (int i = 0; i < n; i++) {
            all[i] = new int[4];
        }
        kept = all;
    }
}
