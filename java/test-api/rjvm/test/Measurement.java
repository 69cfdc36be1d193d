package rjvm.test;

/**
 * What a piece of code has executed. Bytecodes are known on every rjvm; calls, allocations and contexts where the VM records them
 * ({@code --profile=exact --allocations}, as {@code rjvm test} and {@code rjvm bench} have it). What is not known is -1.
 */
public final class Measurement {
    private static final int BYTECODES = 0;
    private static final int CALLS = 1;
    private static final int OBJECTS = 2;
    private static final int BYTES = 3;
    private static final int CONTEXTS = 4;

    private final long bytecodes;
    private final long allThreads;
    private final byte[] profile;
    private final Object result;
    /** Counted when somebody asks. */
    private long[] counts;

    Measurement(long bytecodes, long allThreads, byte[] profile) {
        this(bytecodes, allThreads, profile, null);
    }

    private Measurement(long bytecodes, long allThreads, byte[] profile, Object result) {
        this.bytecodes = bytecodes;
        this.allThreads = allThreads;
        this.profile = profile;
        this.result = result;
    }

    Measurement withResult(Object result) {
        return new Measurement(bytecodes, allThreads, profile, result);
    }

    /** Bytecodes that the thread executed in the code and in all that it called. */
    public long bytecodes() {
        return bytecodes;
    }

    /** Bytecodes that all threads of the program executed meanwhile. */
    public long bytecodesOfAllThreads() {
        return allThreads;
    }

    /** Methods that were entered, the code's own included. */
    public long calls() {
        return count(CALLS);
    }

    /**
     * How often methods were entered that a pattern names: {@code com.acme.Parser::parse}, {@code com.acme.Parser},
     * {@code com.acme.*}, {@code com.acme..} (with subpackages), {@code java.util.HashMap::put*}.
     */
    public long calls(String pattern) {
        return profile == null ? -1 : Meter.calls0(profile, pattern);
    }

    /** Objects that were allocated, arrays included. */
    public long objects() {
        return count(OBJECTS);
    }

    /** Bytes that these objects take. */
    public long bytes() {
        return count(BYTES);
    }

    /** Different paths of calls along which methods were entered. */
    public long contexts() {
        return count(CONTEXTS);
    }

    /** The contexts and what was counted in each, as a profile in the format {@code .rjp}; null if they are not recorded. */
    public byte[] profile() {
        return profile == null ? null : profile.clone();
    }

    /** What a {@code Callable} has returned. */
    public Object result() {
        return result;
    }

    /**
     * The same without what is done when something is used for the first time in the VM: loading and initializing classes, linking call
     * sites. What is left does not depend on what has run before. Where no contexts are recorded, it is this measurement itself.
     */
    public Measurement steady() {
        if (profile == null) {
            return this;
        }
        byte[] part = Meter.steady0(profile);
        return new Measurement(count(part, BYTECODES), allThreads, part, result);
    }

    /** The part that a method has caused, by its class and its name with its descriptor: of all threads, as there is one. */
    Measurement below(String className, String nameAndDescriptor) {
        byte[] part = Meter.below0(profile, className, nameAndDescriptor);
        return new Measurement(count(part, BYTECODES), allThreads, part);
    }

    private long count(int which) {
        if (profile == null) {
            return -1;
        }
        if (counts == null) {
            counts = all(profile);
        }
        return counts[which];
    }

    private static long count(byte[] profile, int which) {
        return all(profile)[which];
    }

    private static long[] all(byte[] profile) {
        long[] counts = new long[CONTEXTS + 1];
        Meter.counts0(profile, counts);
        return counts;
    }

    @Override
    public String toString() {
        String all = bytecodes + " bytecodes";
        if (profile == null) {
            return all;
        }
        return all + ", " + calls() + " calls, " + objects() + " objects (" + bytes() + " bytes), " + contexts() + " contexts";
    }
}
