import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.function.IntUnaryOperator;

/** Thousands of retransformations, each with another body; calls are checked after each, and a thread calls meanwhile. */
public class Storm {
    static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Target {
        int field = 1;

        static int value() {
            return 1_000_000_007;
        }

        int virtual(int x) {
            return x + 1_000_000_007 + field;
        }

        static IntUnaryOperator lambda() {
            return x -> x * 3 + value();
        }

        static String text() {
            return "value " + value();
        }

        static long slow(int n) throws Exception {
            // the body changes while this frame runs it
            if (n == 0) {
                change(next);
                return value();
            }
            return slow(n - 1) + 1_000_000_007L;
        }
    }

    static class Sub extends Target {
        @Override
        int virtual(int x) {
            return super.virtual(x) - 1;
        }
    }

    static int current = 1_000_000_007;
    static int next;

    /** Puts a number in the place of another, everywhere in a class file. */
    static byte[] replace(byte[] file, int from, int to) {
        byte[] made = file.clone();
        for (int i = 0; i + 4 <= made.length; i++) {
            if (made[i] == (byte) (from >> 24) && made[i + 1] == (byte) (from >> 16) && made[i + 2] == (byte) (from >> 8)
                    && made[i + 3] == (byte) from) {
                for (int k = 0; k < 4; k++) {
                    made[i + k] = (byte) (to >> 24 - 8 * k);
                }
                i += 3;
            }
        }
        return made;
    }

    static void change(int to) throws Exception {
        current = to;
        instrumentation.retransformClasses(Target.class);
    }

    static void check(boolean good, int round) {
        if (!good) {
            throw new AssertionError("round " + round + ", " + current);
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.getInteger("rounds", 10_000);
        OwnAgent.attach("Storm", null, OwnAgent.RETRANSFORM);
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] file) {
                return old == Target.class ? replace(file, 1_000_000_007, current) : null;
            }
        }, true);
        Target target = new Target(), sub = new Sub();
        IntUnaryOperator first = Target.lambda();
        long[] calls = new long[1];
        boolean[] over = new boolean[1];
        Thread other = new Thread(() -> {
            while (!over[0]) {
                int v = Target.value();
                check(v >= 1_000_000_007 && v <= 1_000_000_007 + 2 * rounds, -1);
                calls[0]++;
                Thread.yield();
            }
        });
        other.start();
        long sum = 0;
        for (int i = 1; i <= rounds; i++) {
            int v = 1_000_000_007 + i;
            change(v);
            check(Target.value() == v, i);
            check(target.virtual(i) == i + v + 1, i);
            check(sub.virtual(i) == i + v, i);
            check(Target.lambda().applyAsInt(2) == 6 + v && first.applyAsInt(2) == 6 + v, i);
            if (i % 100 == 0) {
                check(Target.text().equals("value " + v), i);
                next = v + rounds;
                // frames of the old body add the old number
                check(Target.slow(3) == (long) next + 3L * v, i);
                check(Target.value() == next, i);
            }
            sum += Target.value();
        }
        over[0] = true;
        other.join();
        System.out.println(rounds + " rounds, sum " + sum + ", called meanwhile: " + (calls[0] > 0));
    }
}
