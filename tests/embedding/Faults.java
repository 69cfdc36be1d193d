/** What {@code tests/faults/main.rs} runs. */
public class Faults {
    static Object kept;

    /** Panics. */
    public static native void fail();

    /** Panics, and is locked. */
    static synchronized native void failLocked();

    /** Has the clock panic from now on. */
    static native void arm();

    static class Unused {
        static int number = 1;
    }

    static int sum() {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += i % 7;
        }
        return sum;
    }

    static int inNative() {
        int sum = sum();
        deeper(3);
        return sum;
    }

    static void deeper(int n) {
        if (n == 0) {
            fail();
        } else {
            deeper(n - 1);
        }
    }

    static int inLockedNative() {
        int sum = sum();
        failLocked();
        return sum;
    }

    static int inClock() {
        return sum() + (int) System.nanoTime();
    }

    static int inCollector() {
        for (int i = 0; i < 100_000; i++) {
            kept = new int[1000];
        }
        return sum();
    }

    static int inResolution() {
        return sum() + Unused.number;
    }

    static int inWait() throws InterruptedException {
        int sum = sum();
        Thread.sleep(1000);
        return sum;
    }

    static int inOtherThread() throws InterruptedException {
        Thread other = new Thread(Faults::inNative, "other");
        other.start();
        other.join();
        return sum();
    }

    public static void main(String[] args) throws Exception {
        System.out.println("before");
        switch (args[0]) {
            case "native" -> inNative();
            case "clock" -> {
                arm();
                inClock();
            }
            default -> sum();
        }
        System.out.println("after");
    }
}
