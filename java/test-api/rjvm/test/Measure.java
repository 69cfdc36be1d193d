package rjvm.test;

import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Counts what a piece of code executes: {@code Measure.of(() -> parser.parse(text)).bytecodes()}.
 *
 * <p>The counts are exact, and nothing of the measuring is in them. What a first run does and later ones do not (loading and
 * initializing classes, linking lambdas and string concatenation) is part of what is executed; {@code warm} runs the code
 * so many times before, without counting.
 *
 * <p>On a JVM other than rjvm the code runs and nothing is counted: see {@link Measurement}.
 */
public final class Measure {
    private Measure() {
    }

    /** What {@code code} executes. */
    public static Measurement of(Runnable code) {
        return warm(0, code);
    }

    /** What {@code code} executes after it has run so many times. */
    public static Measurement warm(int times, Runnable code) {
        return measured(times, code);
    }

    /** What {@code code} executes. Its result is {@link Measurement#result}. */
    public static Measurement ofCall(Callable<?> code) throws Exception {
        return warmCall(0, code);
    }

    /** What {@code code} executes after it has run so many times. */
    public static Measurement warmCall(int times, Callable<?> code) throws Exception {
        return measured(times, code);
    }

    /** Is there anything that counts? Only rjvm does. */
    public static boolean isSupported() {
        return Meter.supported();
    }

    private static Measurement measured(int times, Object code) {
        Objects.requireNonNull(code);
        Measurement[] measurement = new Measurement[1];
        try {
            for (int i = 0; i < times; i++) {
                Meter.run(code);
            }
            Object result = Meter.measured(code, measurement);
            return measurement[0].withResult(result);
        } catch (Throwable e) {
            throw Measure.<RuntimeException>as(e);
        }
    }

    /** What the code throws goes on as it is. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T as(Throwable e) throws T {
        throw (T) e;
    }
}
