/** What these programs share: threads that may throw, and conditions that must hold. */
final class Check {
    private Check() {
    }

    /** What a thread does. */
    interface Body {
        void run() throws Exception;
    }

    static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    static void join(Thread... threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** `values` are not made into a text unless it does not hold: that would be most of a program's operations. */
    static void that(boolean holds, Object... values) {
        if (!holds) {
            throw new AssertionError(java.util.Arrays.toString(values));
        }
    }
}
