package rjvm.test;

/** Why a budget is exceeded, in words: what a profile says, or how it differs from an earlier one. */
final class Explanation {
    static final int BYTECODES = 0;
    static final int CALLS = 1;
    static final int OBJECTS = 2;
    static final int BYTES = 3;

    private Explanation() {
    }

    /** Contexts with most of a metric; those that changed most, if there is an earlier profile. {@code pattern}: of which methods, or null. */
    static String of(byte[] profile, byte[] before, int metric, String pattern) {
        try {
            return of0(profile, before, metric, pattern);
        } catch (UnsatisfiedLinkError e) {
            return "";
        }
    }

    private static native String of0(byte[] profile, byte[] before, int metric, String pattern);

    /** The name of a file for what belongs to a test or benchmark of this name. */
    static native String fileName0(String name);
}
