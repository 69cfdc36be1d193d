package rjvm.test;

/** Runs a test under many schedules, where the VM can. */
public final class Explorer {
    private Explorer() {
    }

    /** Can it? */
    public static boolean supported() {
        try {
            return supported0();
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /**
     * Runs {@code code}, each time from here on, under schedules that are chosen as the annotation says. The VM that calls this does not run
     * it itself, unless it replays a schedule. What has failed, in words, with the command that runs it again; null if nothing has.
     */
    public static String explore(Body code, String name, Explore how) {
        return explore0(code, name, how.iterations(), how.strategy(), how.memory(), how.timeouts(), how.seed());
    }

    private static native boolean supported0();

    private static native String explore0(Body code, String name, int iterations, String strategy, String memory, String timeouts, long seed);
}
