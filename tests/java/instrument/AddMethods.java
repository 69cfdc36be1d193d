import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.TreeSet;
import java.util.function.IntSupplier;

/** Redefinitions add private methods: {@code -XX:+AllowRedefinitionToAddDeleteMethods}. */
public class AddMethods {
    static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Small {
        int n = 3;
        int value() {
            return n;
        }
        static String name() {
            return "small";
        }
    }

    static class Sub extends Small {
        int twice() {
            return 2 * value();
        }
    }

    static class More {
        int n = 3;
        private static int ten(int a) {
            return 10 * a;
        }
        int value() {
            int k = n;
            IntSupplier s = () -> ten(k);
            return s.getAsInt() + own(1, 2L);
        }
        private final int own(int a, long b) {
            return n + a + (int) b;
        }
        static String name() {
            try {
                return broken("x");
            } catch (IllegalStateException e) {
                return e.getMessage() + " " + e.getStackTrace()[0];
            }
        }
        private static synchronized String broken(String s) {
            throw new IllegalStateException(s + s);
        }
    }

    /** More methods again, and other bodies of those that were added. */
    static class Most {
        int n = 3;
        private static int ten(int a) {
            return -10 * a;
        }
        private static int last(int a) {
            return a;
        }
        int value() {
            int k = n;
            IntSupplier s = () -> ten(k) + last(1000);
            return s.getAsInt() + own(1, 2L);
        }
        private final int own(int a, long b) {
            return 100;
        }
        static String name() {
            return broken("most");
        }
        private static synchronized String broken(String s) {
            return s;
        }
    }

    static class Open {
        int n = 3;
        public static int ten(int a) {
            return 10 * a;
        }
        int value() {
            return n;
        }
        static String name() {
            return "open";
        }
    }

    static class Virtual {
        int n = 3;
        private int ten() {
            return 10;
        }
        int value() {
            return n;
        }
        static String name() {
            return "virtual";
        }
    }

    /** Many methods, which are found by an index. */
    static class Many {
        static int a() { return 1; } static int b() { return 2; } static int c() { return 3; } static int d() { return 4; }
        static int e() { return 5; } static int f() { return 6; } static int g() { return 7; } static int h() { return 8; }
        static int i() { return 9; } static int j() { return 10; } static int k() { return 11; } static int l() { return 12; }
    }

    static class ManyMore {
        private static int zero() { return 100; }
        static int a() { return zero(); } static int b() { return 2; } static int c() { return 3; } static int d() { return 4; }
        static int e() { return 5; } static int f() { return 6; } static int g() { return 7; } static int h() { return 8; }
        static int i() { return 9; } static int j() { return 10; } static int k() { return 11; } static int l() { return last(); }
        private static int last() { return 200; }
    }

    static void redefine(Class<?> old, Class<?> with) throws Exception {
        try {
            instrumentation.redefineClasses(OwnAgent.definition(old, with));
            System.out.println(with.getSimpleName() + ": redefined");
        } catch (UnsupportedOperationException e) {
            System.out.println(with.getSimpleName() + ": " + e.getMessage());
        }
    }

    static void show(Small s, Sub sub) {
        System.out.println(s.value() + " " + sub.twice() + " " + Small.name());
        TreeSet<String> names = new TreeSet<>();
        for (Method m : Small.class.getDeclaredMethods()) {
            names.add(m.toString());
        }
        System.out.println(names);
    }

    public static void main(String[] args) throws Exception {
        OwnAgent.attach("AddMethods", null, OwnAgent.REDEFINE);
        Small s = new Small();
        Sub sub = new Sub();
        show(s, sub);
        redefine(Small.class, Open.class);
        redefine(Small.class, Virtual.class);
        show(s, sub);
        redefine(Small.class, More.class);
        show(s, sub);
        redefine(Small.class, Most.class);
        show(s, sub);
        Method ten = Small.class.getDeclaredMethod("ten", int.class);
        ten.setAccessible(true);
        System.out.println(ten.invoke(null, 7));
        System.out.println(Many.a() + " " + Many.l());
        redefine(Many.class, ManyMore.class);
        System.out.println(Many.a() + " " + Many.l() + " " + Many.f());
    }
}
