package rjvm.test;

import java.util.concurrent.Callable;

/** The counters of the VM. On a JVM other than rjvm nothing is counted: every count is -1. */
final class Meter {
    private static final boolean SUPPORTED = isSupported();

    private Meter() {
    }

    private static boolean isSupported() {
        try {
            return supported0();
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /** Is this rjvm? */
    static boolean supported() {
        return SUPPORTED;
    }

    /** Does it count calls, allocations and contexts, or bytecodes only? */
    static boolean contexts() {
        return SUPPORTED && contexts0();
    }

    /** Runs {@code code}: a Runnable, Callable or Body. What was counted is added to {@code to}, also if it throws. */
    static Object measured(Object code, Measurement[] to) throws Throwable {
        int kind = code instanceof Runnable ? 0 : code instanceof Callable ? 1 : 2;
        if (!SUPPORTED) {
            to[0] = new Measurement(-1, -1, null);
            return run(code);
        }
        long[] counts = new long[3];
        try {
            return measured0(code, kind, counts);
        } finally {
            byte[] profile = counts[2] == 0 ? null : profile0(counts[2]);
            to[0] = new Measurement(counts[0], counts[1], profile);
        }
    }

    /** Runs {@code code} without counting. */
    static Object run(Object code) throws Throwable {
        if (code instanceof Runnable) {
            ((Runnable) code).run();
            return null;
        }
        return code instanceof Callable ? ((Callable<?>) code).call() : ((Body) code).run();
    }

    /**
     * Begins other identity hashes, the {@code phase}-th ones: they do not depend on how many objects were asked for theirs
     * before.
     */
    static void restartHashes(int phase) {
        if (SUPPORTED) {
            restartHashes0(phase);
        }
    }

    private static native void restartHashes0(int phase);

    private static native boolean supported0();

    /** The seed of a deterministic VM; of another one, -1. */
    static long seed() {
        return SUPPORTED ? seed0() : -1;
    }

    private static native boolean contexts0();

    private static native long seed0();

    /** Runs code of this kind; bytecodes of the thread, of all threads, and the number of the profile. */
    private static native Object measured0(Object code, int kind, long[] counts) throws Throwable;

    private static native byte[] profile0(long number);

    /** Bytecodes, calls, objects, bytes, contexts. */
    static native void counts0(byte[] profile, long[] counts);

    /** The part of a profile that a method has caused, by its class and its name with its descriptor. */
    static native byte[] below0(byte[] profile, String className, String nameAndDescriptor);

    /** A profile without what is done when something is used for the first time. */
    static native byte[] steady0(byte[] profile);

    /** Calls of the methods that a pattern names. */
    static native long calls0(byte[] profile, String pattern);
}
