/** Two threads initialise one class: the second waits for the first; failures are seen by both; the state is the same. */
public class InitThreads {
    static class Slow {
        static int value;
        static int runs;
        static {
            runs++;
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new Error(e);
            }
            value = 77;
        }
    }

    static class Failing {
        static int value = fail();
        static int fail() {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) { }
            throw new IllegalStateException("once");
        }
    }

    static class SelfUse {
        static int x = 1;
        static {
            int[] r = new int[1];
            Thread t = new Thread(new Setter(r)); // a lambda here would be a method of SelfUse, and wait for it
            t.start();
            try {
                t.join();
            } catch (InterruptedException e) { }
            x = r[0] + 1;
        }
    }

    record Setter(int[] r) implements Runnable {
        public void run() { r[0] = 5; }
    }

    public static void main(String[] args) throws Exception {
        int[] seen = new int[4];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int k = i;
            threads[i] = new Thread(() -> seen[k] = Slow.value);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(seen[0] + " " + seen[1] + " " + seen[2] + " " + seen[3] + " " + Slow.runs);
        String[] errors = new String[3];
        for (int i = 0; i < 3; i++) {
            int k = i;
            threads[i] = new Thread(() -> {
                try {
                    errors[k] = "value " + Failing.value;
                } catch (Throwable t) {
                    errors[k] = t.getClass().getName();
                }
            });
            threads[i].start();
        }
        for (int i = 0; i < 3; i++) threads[i].join();
        java.util.Arrays.sort(errors);
        for (String e : errors) System.out.println(e);
        System.out.println(SelfUse.x);
    }
}
