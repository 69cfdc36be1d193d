package app;

import java.util.ArrayList;
import java.util.List;

/** What the tests of the embedding call. */
public class Calc {
    static int calls;
    static final int LIMIT = 7;
    static String text = "text";
    int count = 3;
    private long wide = 1L << 40;
    Object any;
    final String name;
    int[] numbers = {1, 2, 3};

    public Calc() {
        this("nameless", 0);
    }

    public Calc(String name, int count) {
        this.name = name;
        this.count = count;
    }

    public static long run(int n) {
        calls++;
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    static boolean z(boolean v) { return !v; }
    static byte b(byte v) { return (byte) -v; }
    static char c(char v) { return (char) (v + 1); }
    static short s(short v) { return (short) -v; }
    static int i(int v) { return -v; }
    static long j(long v) { return -v; }
    static float f(float v) { return -v; }
    static double d(double v) { return -v; }
    static String str(String v) { return v == null ? null : v + "!"; }
    static int[] ints(int[] v) { v[0] = -v[0]; return v; }
    static byte[] bytes(byte[] v) { v[0] = -1; return v; }
    static boolean[] flags(boolean[] v) { v[0] = !v[0]; return v; }
    static char[] chars(char[] v) { return v; }
    static short[] shorts(short[] v) { return v; }
    static long[] longs(long[] v) { return v; }
    static float[] floats(float[] v) { return v; }
    static double[] doubles(double[] v) { return v; }
    static String[] strings(String[] v) { v[0] = v[0].toUpperCase(); return v; }
    static Object same(Object v) { return v; }
    static Integer boxed(Integer v) { return v == null ? null : v + 1; }
    static Calc[] both(Calc[] v) { return new Calc[] {v[1], v[0], null}; }
    static String which(Object o) { return "object"; }
    static String which(String s) { return "string"; }
    static String which(CharSequence s) { return "sequence"; }
    static String either(Integer a, Object b) { return "left"; }
    static String either(Object a, Integer b) { return "right"; }

    public String toString() { return name + ":" + count; }

    int add(int n) { return count += n; }

    private static int hidden() { return 99; }

    static void fail(String message) {
        try {
            inner(message);
        } catch (RuntimeException e) {
            Exception outer = new IllegalStateException("outer", e);
            outer.addSuppressed(new Error("beside"));
            throw (RuntimeException) outer;
        }
    }

    private static void inner(String message) {
        throw new IllegalArgumentException(message);
    }

    static void rethrow(RuntimeException e) {
        throw e;
    }

    static void lists() {
        List.of(1).forEach(n -> {
            try {
                inner("in a lambda");
            } catch (RuntimeException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    static List<int[]> kept = new ArrayList<>();

    static int churn(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += new int[100].length;
        }
        return sum;
    }

    static void forget() {
        kept.clear();
    }

    static void hold(int n, int length) {
        for (int i = 0; i < n; i++) {
            kept.add(new int[length]);
        }
    }

    static synchronized int forever() {
        Object lock = new Object();
        synchronized (LOCK) {
            synchronized (lock) {
                for (int i = 0; ; i++) {
                    calls = i;
                }
            }
        }
    }

    static final Object LOCK = new Object();

    static synchronized int afterForever() {
        synchronized (LOCK) {
            return 5;
        }
    }

    static String fromOtherThread() throws InterruptedException {
        String[] result = new String[1];
        Thread t = new Thread(() -> {
            synchronized (LOCK) {
                result[0] = "free";
            }
        });
        t.start();
        t.join();
        return result[0];
    }

    static void stuck() throws InterruptedException {
        synchronized (LOCK) {
            LOCK.wait();
        }
    }

    static Thread[] others = new Thread[3];

    static void overtaken() {
        for (int k = 0; k < others.length; k++) {
            others[k] = new Thread(() -> {
                Object[] all = new Object[50];
                for (int i = 0; i < 60_000; i++) {
                    Object[] inner = {all, "x" + i, new int[3]};
                    all[i % 50] = inner[1];
                }
            });
            others[k].start();
        }
        for (int i = 0; ; i++) {
            calls = i;
        }
    }

    static int joined() throws InterruptedException {
        int n = 0;
        for (Thread t : others) {
            if (t != null) {
                t.join();
            }
            n++;
        }
        return n;
    }

    static int recurse(int n) { return recurse(n + 1) + 1; }

    public static class Slow {
        static int value = slowly();

        static int slowly() {
            int n = 0;
            for (int i = 0; i < 1_000_000; i++) {
                n += i % 3;
            }
            return n;
        }
    }

    public static class Bad {
        static {
            if (true) {
                throw new IllegalStateException("bad");
            }
        }

        static int f() { return 1; }
    }

    interface Shape {
        default String describe() { return "shape of " + area(); }
        double area();
    }

    static class Square implements Shape {
        public double area() { return 4.0; }
    }

    static Shape shape() { return new Square(); }
}
