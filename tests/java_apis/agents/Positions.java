import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import rjvm.agent.MID;
import rjvm.agent.SamplingProfiler;

/** Counts samples by the method on top; with -Dchange, each comes a different number of bytecodes after the last. */
public class Positions implements SamplingProfiler {
    private final Map<String, Integer> tops = new TreeMap<>();
    private final Map<Thread, Integer> asked = new HashMap<>();
    private final Map<Thread, MID[]> arrays = new HashMap<>();
    private int samples;

    public Positions() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            tops.forEach((s, n) -> System.err.println("top " + s + " " + n));
        }));
    }

    private int next() {
        int n = Integer.getInteger("gran");
        if (Boolean.getBoolean("change")) {
            n += samples % 13;
        }
        asked.put(Thread.currentThread(), n);
        return n;
    }

    @Override
    public int register(Thread t) {
        return next();
    }

    @Override
    public int processSample(MID[] stack, int sp, int bytecodes) {
        if (bytecodes != asked.get(Thread.currentThread()) || sp < 1) {
            throw new AssertionError(bytecodes);
        }
        MID[] last = arrays.put(Thread.currentThread(), stack);
        if (last != null && last != stack && last.length >= stack.length) {
            throw new AssertionError("another array");
        }
        samples++;
        tops.merge(stack[sp - 1].toString(), 1, Integer::sum);
        return next();
    }
}
