/** What is kept of a failed initialization, for the class itself, its subclasses, and an overridden trace. */
public class FailedSupers {
    static class Odd extends RuntimeException {
        Odd() { super("odd"); }

        @Override public StackTraceElement[] getStackTrace() {
            System.out.println("asked for the trace");
            return new StackTraceElement[] {new StackTraceElement("Some", "where", "Some.java", 7)};
        }
    }

    static class Rude extends RuntimeException {
        @Override public StackTraceElement[] getStackTrace() { throw new IllegalStateException("no"); }
    }

    static class Base {
        static int n = fail();

        static int fail() { throw new Odd(); }
    }

    static class Middle extends Base {
        static { System.out.println("never"); }
    }

    static class Leaf extends Middle { }

    static class Late extends Middle { }

    static class Plain {
        static int n = 1 / zero();

        static int zero() { return 0; }
    }

    static class Impolite {
        static { if (true) throw new Rude(); }
    }

    static class Fault {
        static { if (true) throw new AssertionError("fault"); }
    }

    static void attempt(String what, Runnable r) {
        System.out.println("-- " + what);
        try {
            r.run();
        } catch (Throwable t) {
            for (Throwable at = t; at != null; at = at.getCause()) {
                System.out.println(at);
                StackTraceElement[] trace;
                try {
                    trace = at.getStackTrace();
                } catch (RuntimeException e) {
                    System.out.println("  " + e);
                    continue;
                }
                for (StackTraceElement e : trace) {
                    if (!e.getMethodName().startsWith("lambda")) System.out.println("  " + e);
                }
            }
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            attempt("leaf", Leaf::new);
            attempt("middle", Middle::new);
            attempt("base", () -> System.out.println(Base.n));
            attempt("late", Late::new);
            attempt("plain", () -> System.out.println(Plain.n));
            attempt("impolite", Impolite::new);
            attempt("fault", Fault::new);
        }
    }
}
