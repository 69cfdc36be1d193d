/** Constants, moves, calls and returns in the forms that are translated into fewer instructions. */
public class JoinedInstructions {
    static int calls;
    int field;
    long wide;
    double real;
    boolean flag;
    Object object = this;
    static short small;
    static float single = 1;

    static int sub(int x) { return 100 - x; }
    static int shift(int x) { return 1 << x; }
    static int unsigned(int x) { return -1 >>> x; }
    static int divide(int x) { return 1000 / x; }
    static int rest(int x) { return 1000 % x; }
    static long subLong(long x) { return 5L - x; }
    static long shiftLong(int x) { return 1L << x; }
    static long large(long x) { return 0x1234567890L - x; }
    static long low(long x) { return x & 0xffffffffL; }
    static long lowFirst(int x) { return 0xffffffffL & x; }
    static double inverse(double x) { return 1.0 / x; }
    static double tenth(double x) { return 0.1 - x; }
    static float half(float x) { return 0.5f - x; }
    static boolean same(Object a, Object b) { return a == b; }
    static String which(int x) { return x < 0 ? "negative" : x == 0 ? null : "positive"; }
    static void nothing(int x) { if (x > 0) { calls++; } else { calls += 2; } }
    static int after(int a, int b, int c) { return a * 10_000 + b * 100 + c; }

    /** Every argument of another kind, some of them twice. */
    static String all(Object o, int i, long l, double d, Object p, int j, Object q) {
        return new String[] {String.valueOf(o), i + "," + l + "," + d, String.valueOf(p), j + "", String.valueOf(q)}[0]
            + i + l + d + p + j + q;
    }
    String chain(String a, JoinedInstructions b) { return b.object == this ? a + b.field : b.chain(a, this); }

    /** A class that is initialized, and allocates, when an argument is not in its place yet. */
    static class Late {
        static final StringBuilder TEXT = new StringBuilder();
        static { for (int i = 0; i < 50; i++) { TEXT.append(new String("late")); } }
        static String with(String s, Object o) { return s + o + TEXT.length(); }
    }

    public static void main(String[] args) {
        int[] numbers = {0, 1, 5, 31, 33, -1, -7, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int x : numbers) {
            System.out.println(x + ": " + sub(x) + " " + shift(x) + " " + unsigned(x) + " " + subLong(x) + " " + shiftLong(x)
                + " " + large(x) + " " + low(x) + " " + lowFirst(x) + " " + inverse(x) + " " + tenth(x) + " " + half(x)
                + " " + which(x));
            nothing(x);
            try {
                System.out.println(divide(x) + " " + rest(x));
            } catch (ArithmeticException e) {
                System.out.println(e);
            }
        }
        System.out.println(calls + " " + low(-1L) + " " + low(Long.MIN_VALUE | 7));

        byte[] bytes = new byte[3];
        boolean[] flags = new boolean[3];
        char[] chars = new char[3];
        short[] shorts = new short[3];
        int[] ints = new int[5];
        long[] longs = new long[3];
        float[] floats = {9, 9, 9};
        double[] doubles = {9, 9, 9};
        Object[] objects = {"x", "y", "z"};
        for (int i = 0; i < 3; i++) {
            bytes[i] = -128; flags[i] = true; chars[i] = 'x'; shorts[i] = -32768; ints[i] = -1; longs[i] = -32768;
            floats[i] = 0; doubles[i] = 0; objects[i] = null;
        }
        ints[2] = 32768; ints[3] = -32769; longs[2] = 32768; floats[1] = -0f; doubles[1] = -0.0; doubles[2] = 1;
        System.out.println(java.util.Arrays.toString(bytes) + java.util.Arrays.toString(flags) + (int) chars[2]
            + java.util.Arrays.toString(shorts) + java.util.Arrays.toString(ints) + java.util.Arrays.toString(longs)
            + java.util.Arrays.toString(floats) + java.util.Arrays.toString(doubles) + java.util.Arrays.toString(objects));
        int k = 0;
        ints[k++] = k; ints[k++] = k++; ints[k] = k--;
        System.out.println(java.util.Arrays.toString(ints) + k + " " + after(k, k++, k) + " " + after(k++, k, k++));

        JoinedInstructions a = new JoinedInstructions(), b = new JoinedInstructions();
        a.field = -1; a.wide = 1; a.real = 0; a.flag = true; small = 7; single = 0;
        b.field = 70_000; b.object = a; b.wide = -5; b.real = 2.5;
        System.out.println(a.field + " " + a.wide + " " + a.real + " " + a.flag + " " + small + " " + single + " "
            + b.field + " " + b.wide + " " + b.real + " " + same(a, b) + same(b.object, a));
        System.out.println(a.chain("chain ", b) + " " + b.chain("other ", a));
        String s = new String("first"), t = new String("second");
        System.out.println(all(s, 1, 2, 3, t, 4, s) + " " + all(t, k, k, k, t, k, null));
        System.out.println(Late.with(s, t) + Late.with(t, s));
        try {
            b = null;
            System.out.println(b.chain(s, a));
        } catch (NullPointerException e) {
            System.out.println("no object");
        }
    }
}
