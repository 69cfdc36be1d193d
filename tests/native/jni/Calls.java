/** Calls of Java methods by native code, and results of native methods. */
public class Calls {
    static class Base {
        String made = "not made";
        Base() {}
        Base(int a, double b) { made = "made of " + a + " and " + b; }
        static long sum(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            return (z ? 1 : 0) + b + c + s + i + j + (long) (f * 4) + (long) (d * 2) + o.hashCode() + i1 + 10 * i2 + 100 * i3 + 1000 * j4
                + (long) (2 * (d1 + 2 * d2 + 3 * d3 + 4 * d4 + 5 * d5 + 6 * d6 + 7 * d7 + 8 * d8 + 9 * f9));
        }
        long plus() { return 1; }
        Object m0(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return w + x;
        }
        boolean m1(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x % 2 != 0;
        }
        byte m2(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (byte) x;
        }
        char m3(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (char) x;
        }
        short m4(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (short) x;
        }
        int m5(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (int) x;
        }
        long m6(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x;
        }
        float m7(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x / 4f;
        }
        double m8(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x / 8.0;
        }
        void m9(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "base "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); voids += w + x + "\n";
        }
    }
    static class Sub extends Base {
        Sub() {}
        long plus() { return 2; }
        Object m0(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return w + x;
        }
        boolean m1(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x % 2 != 0;
        }
        byte m2(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (byte) x;
        }
        char m3(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (char) x;
        }
        short m4(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (short) x;
        }
        int m5(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (int) x;
        }
        long m6(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x;
        }
        float m7(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x / 4f;
        }
        double m8(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x / 8.0;
        }
        void m9(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
            double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
            String w = "sub "; long x = plus() + sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); voids += w + x + "\n";
        }
    }
    static String voids = "";
        static Object s0(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return w + x;
    }
    static boolean s1(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x % 2 != 0;
    }
    static byte s2(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (byte) x;
    }
    static char s3(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (char) x;
    }
    static short s4(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (short) x;
    }
    static int s5(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return (int) x;
    }
    static long s6(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x;
    }
    static float s7(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x / 4f;
    }
    static double s8(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); return x / 8.0;
    }
    static void s9(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int i1, int i2, int i3, long j4,
        double d1, double d2, double d3, double d4, double d5, double d6, double d7, double d8, float f9) {
        String w = "static "; long x = 3 + Base.sum(z, b, c, s, i, j, f, d, o, i1, i2, i3, j4, d1, d2, d3, d4, d5, d6, d7, d8, f9); voids += w + x + "\n";
    }
    abstract static class Abstract { Abstract(int a, double b) {} }
    static class Fails { Fails(int a, double b) { throw new IllegalStateException("constructor " + a); } }
    static native long primitive(Object o, Class<?> base, int type, int how, Object x);
    static native Object object(Object o, Class<?> base, int how, Object x);
    static native Object make(Class<?> c, int how, int a, double b);
    static native int through(java.util.function.IntUnaryOperator f, int n);
    static native boolean z(int n);
    static native byte b(int n);
    static native char c(int n);
    static native short s(int n);
    static native float f(float a, double b);
    static native double d(float a, double b);
    static native double many(byte a, short b, char c, boolean d, long e, int f, float g, double h, long i, byte j, float k, double l, double m, double n, double o, double p, double q, float r);

    static int deep(int n) { return n == 0 ? 0 : through(Calls::deep, n - 1) + 1; }

    public static void main(String[] args) {
        System.loadLibrary("jnisuite");
        for (int type = 1; type < 10; type++)
            for (int how = 0; how < 9; how++)
                System.out.println(type + " " + how + " " + primitive(new Sub(), Base.class, type, how, "x"));
        for (int how = 0; how < 9; how++) System.out.println(how + " " + object(new Sub(), Base.class, how, "x"));
        System.out.println(voids);
        for (int how = 0; how < 4; how++) System.out.println(((Base) make(Base.class, how, how, 0.5)).made);
        for (Class<?> c : new Class<?>[] {Abstract.class, Runnable.class, int[].class, Fails.class, Sub.class}) {
            try {
                System.out.println(make(c, 0, 1, 2));
            } catch (Throwable e) {
                System.out.println(e);
            }
        }
        System.out.println(through(n -> n * 2, 20) + " " + deep(200));
        System.out.println(z(0) + " " + z(256) + " " + z(2) + " " + b(200) + " " + (int) c(-1) + " " + s(40000));
        System.out.println(f(1.5f, 2.25) + " " + d(1.5f, 2.25));
        System.out.println(many((byte) -1, (short) -2, (char) 3, true, 5, -6, 7, 8, 9, (byte) 10, 11, 12, 13, 14, 15, 16, 17, 18));
    }
}
