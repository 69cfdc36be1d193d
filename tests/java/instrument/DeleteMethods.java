import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.TreeSet;

/** Redefinitions delete private methods, and add them again: {@code -XX:+AllowRedefinitionToAddDeleteMethods}. */
public class DeleteMethods {
    static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Full {
        int n = 3;
        private static long gone(int a, long b, double[] c) {
            return a + b + c.length;
        }
        private final synchronized int own(double d) {
            return n + (int) d;
        }
        private static native void none(Object o);
        public static int open() {
            return 5;
        }
        long value() {
            return gone(1, 2L, new double[3]) + own(4.0);
        }
    }

    static class Less {
        int n = 3;
        public static int open() {
            return 6;
        }
        long value() {
            return n;
        }
    }

    /** One of them is there again, between others. */
    static class Again {
        int n = 3;
        public static int open() {
            return 7;
        }
        private final synchronized int own(double d) {
            return 100;
        }
        long value() {
            return n + own(1.5);
        }
    }

    static class Closed {
        int n = 3;
        long value() {
            return n;
        }
    }

    /** Many methods, which are found by an index. */
    static class Many {
        static int a() { return 1; } static int b() { return 2; } static int c() { return 3; } static int d() { return 4; }
        static int e() { return 5; } static int f() { return 6; } static int g() { return 7; } static int h() { return 8; }
        private static int x() { return 24; }
        static int i() { return 9; } static int j() { return 10; } static int k() { return 11; } static int l() { return 12; }
        static int m() { return 13; } static int n() { return 14; } static int o() { return 15; } static int p() { return 16; }
        static int q() { return 17; } static int r() { return x(); }
    }

    static class Fewer {
        static int a() { return 1; } static int b() { return 2; } static int c() { return 3; } static int d() { return 4; }
        static int e() { return 5; } static int f() { return 6; } static int g() { return 7; } static int h() { return 8; }
        static int i() { return 9; } static int j() { return 10; } static int k() { return 11; } static int l() { return 12; }
        static int m() { return 13; } static int n() { return 14; } static int o() { return 15; } static int p() { return 16; }
        static int q() { return 17; } static int r() { return 18; }
    }

    interface Call {
        Object call() throws Throwable;
    }

    static void attempt(String what, Call call) {
        try {
            System.out.println(what + ": " + call.call());
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName());
        }
    }

    static long gone() {
        return Full.gone(1, 2, new double[0]);
    }

    static long own(Full full) {
        return full.own(2.5);
    }

    static void redefine(Class<?> old, Class<?> with) throws Exception {
        try {
            instrumentation.redefineClasses(OwnAgent.definition(old, with));
            System.out.println(with.getSimpleName() + ": redefined");
        } catch (UnsupportedOperationException e) {
            System.out.println(with.getSimpleName() + ": " + e.getMessage());
        }
        TreeSet<String> names = new TreeSet<>();
        for (Method m : old.getDeclaredMethods()) {
            names.add(m.getName());
        }
        System.out.println(names);
    }

    public static void main(String[] args) throws Throwable {
        OwnAgent.attach("DeleteMethods", null, OwnAgent.REDEFINE);
        Full full = new Full();
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Full.class, MethodHandles.lookup());
        MethodType type = MethodType.methodType(long.class, int.class, long.class, double[].class);
        MethodHandle handle = lookup.findStatic(Full.class, "gone", type);
        for (Class<?> with : new Class<?>[] {Full.class, Closed.class, Less.class, Less.class, Again.class, Less.class}) {
            redefine(Full.class, with);
            attempt("value", full::value);
            attempt("gone", DeleteMethods::gone);
            attempt("by handle", () -> (long) handle.invokeExact(1, 2L, new double[1]));
            attempt("open", Full::open);
        }
        attempt("own", () -> own(full));
        attempt("looked up", () -> lookup.findStatic(Full.class, "gone", type));
        attempt("reflected", () -> Full.class.getDeclaredMethod("own", double.class));
        System.out.println(Many.r());
        redefine(Many.class, Fewer.class);
        System.out.println(Many.r() + " " + Many.a() + " " + Many.q());
        attempt("of many", () -> Many.x());
    }
}
