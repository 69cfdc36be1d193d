/** Stack trace elements: classes, methods, lines, constructors, initialisers, lambdas, recursion, filled when created. */
public class StackTraces {
    static void show(Throwable t) {
        System.out.println(t.getClass().getName() + ": " + t.getMessage());
        for (StackTraceElement e : t.getStackTrace())
            if (e.getClassName().startsWith("StackTraces")) System.out.println("  " + e.getClassName() + "." + e.getMethodName() + " " + e.getFileName() + ":" + e.getLineNumber() + " " + e.isNativeMethod());
    }

    static class Ctor {
        int field = compute(
            0);
        Ctor() {
            this(1);
        }
        Ctor(int n) {
            if (n == 1)
                throw new IllegalStateException("in constructor");
        }
        int compute(int n) { return n; }
    }

    static class Late extends Ctor {
        Late() { super(2); }
        @Override int compute(int n) {
            return 5 / n;
        }
    }

    static class Init {
        static int value = fail();
        static int fail() { throw new IllegalArgumentException("initialiser"); }
    }

    static int recurse(int n) {
        if (n == 0) {
            int[] a = {};
            return a[n];
        }
        return recurse(n - 1)
            + 1;
    }

    static RuntimeException saved;

    static RuntimeException make() { return new RuntimeException("made here"); }

    static void longExpression(String s) {
        int x = 1 +
            2 *
            s.length() +
            3;
    }

    public static void main(String[] args) {
        try { new Ctor(); } catch (RuntimeException e) { show(e); }
        try { new Late(); } catch (RuntimeException e) { show(e); }
        try { recurse(3); } catch (RuntimeException e) { show(e); }
        try {
            System.out.println(Init.value);
        } catch (ExceptionInInitializerError e) {
            show(e);
            show(e.getCause());
        }
        try {
            System.out.println(Init.value);
        } catch (NoClassDefFoundError e) {
            show(e);
            System.out.println(e.getCause());
        }
        saved = make();
        try {
            throw saved;
        } catch (RuntimeException e) {
            show(e);
            e.fillInStackTrace();
            show(e);
        }
        try { longExpression(null); } catch (NullPointerException e) { show(e); }
        Runnable r = () -> {
            throw new IllegalStateException("in lambda");
        };
        try { r.run(); } catch (IllegalStateException e) { show(e); }
        Runnable anonymous = new Runnable() {
            public void run() {
                Object o = "x";
                Integer i = (Integer) o;
            }
        };
        try { anonymous.run(); } catch (ClassCastException e) { show(e); }
        show(new Throwable("plain"));
        StackTraceElement e = new StackTraceElement("a.B", "m", "B.java", 12);
        System.out.println(e + " " + new StackTraceElement("C", "n", null, -1) + " " + new StackTraceElement("C", "n", null, -2) + " " + new StackTraceElement("C", "n", "C.java", -1) + " " + new StackTraceElement("app", "mod", "1", "C", "n", "C.java", 5));
        Throwable t = new Throwable("replaced");
        t.setStackTrace(new StackTraceElement[] {e});
        System.out.println(t.getStackTrace().length + " " + t.getStackTrace()[0].equals(e));
    }
}
