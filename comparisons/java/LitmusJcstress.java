package litmus;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The tests of Litmus, for jcstress. */
public class LitmusJcstress {
    static class Box {
        int plain = 1;
        final int fixed;

        Box() {
            fixed = 1;
        }
    }

    @JCStressTest
    @Outcome(expect = Expect.ACCEPTABLE)
    @State
    public static class StoreBuffering {
        int x, y;

        @Actor
        public void one(II_Result r) {
            x = 1;
            r.r1 = y;
        }

        @Actor
        public void two(II_Result r) {
            y = 1;
            r.r2 = x;
        }
    }

    @JCStressTest
    @Outcome(expect = Expect.ACCEPTABLE)
    @State
    public static class VolatileStoreBuffering {
        volatile int v, w;

        @Actor
        public void one(II_Result r) {
            v = 1;
            r.r1 = w;
        }

        @Actor
        public void two(II_Result r) {
            w = 1;
            r.r2 = v;
        }
    }

    @JCStressTest
    @Outcome(expect = Expect.ACCEPTABLE)
    @State
    public static class MessagePassing {
        int x, y;

        @Actor
        public void one() {
            x = 1;
            y = 1;
        }

        @Actor
        public void two(II_Result r) {
            r.r1 = y;
            r.r2 = x;
        }
    }

    @JCStressTest
    @Outcome(expect = Expect.ACCEPTABLE)
    @State
    public static class UnsafePublication {
        Box box;

        @Actor
        public void one() {
            box = new Box();
        }

        @Actor
        public void two(II_Result r) {
            Box seen = box;
            r.r1 = seen == null ? -1 : seen.plain;
            r.r2 = seen == null ? -1 : seen.fixed;
        }
    }
}
