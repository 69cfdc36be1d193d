/** Results of float and double operations, shown as bits: rounding, subnormals, signed zeros, remainders. */
public class FloatBits {
    static void d(String what, double v) { System.out.println(what + " " + Long.toHexString(Double.doubleToLongBits(v))); }
    static void f(String what, float v) { System.out.println(what + " " + Integer.toHexString(Float.floatToIntBits(v))); }

    public static void main(String[] args) {
        double third = 1.0 / 3, tiny = Double.MIN_VALUE, big = Double.MAX_VALUE, zero = 0.0;
        d("third", third);
        d("0.1+0.2", 0.1 + 0.2 + zero);
        d("tiny/2", tiny / 2);
        d("tiny*1.5", tiny * 1.5);
        d("tiny+tiny", tiny + tiny);
        d("normal-", 2.2250738585072014E-308 - tiny);
        d("big+big", big + big);
        d("big-big", big - big);
        d("-0", -zero);
        d("0-0", zero - zero);
        d("-0+0", -zero + zero);
        d("-0-0", -zero - zero);
        d("0*-1", zero * -1);
        d("-0*-1", -zero * -1);
        d("inf-inf", big * 10 - big * 10);
        d("inf*0", big * 10 * zero);
        d("0/0", zero / zero);
        d("1/-0", 1 / -zero);
        d("5.5%3", (5.5 + zero) % 3);
        d("-5.5%3", (-5.5 + zero) % 3);
        d("5.5%-3", (5.5 + zero) % -3);
        d("-6%3", (-6 + zero) % 3);
        d("1%inf", (1 + zero) % (big * 10));
        d("inf%1", (big * 10) % 1);
        d("1%0", (1 + zero) % zero);
        d("1e300%7", (1e300 + zero) % 7);
        d("big%tiny", big % tiny);
        d("-nan is nan", -(zero / zero));
        float ft = 1f / 3, fz = 0f, fb = Float.MAX_VALUE;
        f("third", ft);
        f("sum", 0.1f + 0.2f + fz);
        f("prod", ft * 3);
        f("tiny", Float.MIN_VALUE / 2);
        f("sub", 1.17549435E-38f - Float.MIN_VALUE);
        f("big", fb * 2);
        f("-0", -fz);
        f("rem", (7.25f + fz) % 0.7f);
        f("rem", (-1e30f + fz) % 3f);
        f("mixed", (float) (ft * 3.0));
        f("nearest", fb + 1e31f);
        f("d2f", (float) 3.4028235677973366e38);
        f("d2f", (float) 3.4028235677973362e38);
        float sum = 0;
        double dsum = 0;
        for (int i = 1; i <= 1000; i++) {
            sum += 1f / i;
            dsum += 1.0 / i;
        }
        f("harmonic", sum);
        d("harmonic", dsum);
        System.out.println(Double.longBitsToDouble(0x7ff0000000000001L) != Double.longBitsToDouble(0x7ff0000000000001L));
        System.out.println(Float.intBitsToFloat(0x3fc00000) == 1.5f);
    }
}
