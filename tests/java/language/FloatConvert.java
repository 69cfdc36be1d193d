/** Conversions among int, long, float and double: saturation, NaN to 0, rounding to nearest even. */
public class FloatConvert {
    static void all(double d) {
        float f = (float) d;
        System.out.println((int) d + " " + (long) d + " " + (byte) d + " " + (short) d + " " + (int) (char) d + " / " + (int) f + " " + (long) f + " " + (int) (char) f);
    }

    public static void main(String[] args) {
        double zero = 0;
        double[] ds = {0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 127.9, 128, 300.7, -300.7, 65536.5, 2147483647.0, 2147483648.0, -2147483648.9, 4294967295.0,
            9.2233720368547748e18, 9.3e18, -9.3e18, 1e300, -1e300, 1 / zero, -1 / zero, zero / zero, 4.9e-324};
        for (double d : ds) all(d);
        int[] is = {16777216, 16777217, 16777218, 16777219, 2147483647, -2147483648, 33554431, 123456789};
        for (int i : is) System.out.println(i + " " + (int) (float) i + " " + (int) (double) i + " " + (long) (float) i);
        long[] ls = {9007199254740992L, 9007199254740993L, 9007199254740995L, Long.MAX_VALUE, Long.MIN_VALUE, 1234567890123456789L, (1L << 62) + (1L << 38)};
        for (long l : ls) System.out.println(l + " " + (long) (double) l + " " + (long) (float) l);
        System.out.println((float) 0.1 == 0.1f);
        System.out.println((double) 0.1f == 0.1);
        System.out.println((float) 1e40 == Float.POSITIVE_INFINITY);
        System.out.println((float) 1e-50 == 0);
        System.out.println((float) 1.00000005960464477539 == 1.0f);
        System.out.println((float) 1.00000017881393432617 == 1.0000002f);
        int i = 5;
        i *= 1.7;
        System.out.println(i);
        i += 0.99999;
        System.out.println(i);
        i -= -1e20;
        System.out.println(i);
        long l = 10;
        l /= 0.3f;
        System.out.println(l);
        l += 1e30f;
        System.out.println(l);
        float f = 1;
        f += 1e-8;
        System.out.println(f == 1);
        f = i;
        System.out.println((int) f == i);
        System.out.println((double) f - i == 0);
        short s = (short) 1e10;
        System.out.println(s);
    }
}
