/** Math and StrictMath: exact functions to the bit, rounding, exact arithmetic, special values. */
public class MathFunctions {
    static String hex(double d) { return Double.toHexString(d); }

    interface Body { Object run(); }
    static void show(Body b) {
        try {
            System.out.print(b.run() + " ");
        } catch (ArithmeticException e) {
            System.out.print("<" + e.getMessage() + "> ");
        }
    }

    public static void main(String[] args) {
        double[] xs = {0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370497.5, 1e300, -1e300, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 3.7, -3.2};
        for (double x : xs) System.out.println(x + " " + Math.floor(x) + " " + Math.ceil(x) + " " + Math.rint(x) + " " + Math.round(x) + " " + Math.round((float) x) + " " + Math.abs(x) + " " + Math.signum(x) + " " + Math.ulp(x) + " " + Math.nextUp(x) + " " + Math.nextDown(x) + " " + Math.getExponent(x) + " " + Math.sqrt(x) + " " + hex(Math.scalb(x, 3)));
        double[] ys = {0.0, 0.1, 0.5, 1, 2, 3.14159, -1.3, 10, 100.25, -1e5, 1e22, 710, -745};
        for (double y : ys) System.out.println(y + " " + hex(StrictMath.sin(y)) + " " + hex(StrictMath.cos(y)) + " " + hex(StrictMath.tan(y)) + " " + hex(StrictMath.exp(y)) + " " + hex(StrictMath.log(y)) + " " + hex(StrictMath.log10(y)) + " " + hex(StrictMath.cbrt(y)) + " " + hex(StrictMath.atan(y)) + " " + hex(StrictMath.sinh(y)) + " " + hex(StrictMath.tanh(y)) + " " + hex(StrictMath.expm1(y)) + " " + hex(StrictMath.log1p(y)));
        System.out.println(hex(StrictMath.asin(0.3)) + " " + hex(StrictMath.acos(-0.7)) + " " + hex(StrictMath.atan2(-1, -2)) + " " + StrictMath.atan2(-0.0, -1) + " " + hex(StrictMath.hypot(3e200, 4e200)) + " " + hex(StrictMath.pow(1.1, 100.5)) + " " + StrictMath.pow(-8, 1.0 / 3) + " " + StrictMath.pow(-2, 3) + " " + StrictMath.pow(0, -1) + " " + StrictMath.pow(-0.0, -3) + " " + StrictMath.pow(1, Double.NaN) + " " + StrictMath.pow(Double.NaN, 0) + " " + hex(StrictMath.IEEEremainder(10, 3)) + " " + hex(StrictMath.cosh(1.5)));
        System.out.println(Math.toDegrees(Math.PI) + " " + Math.toRadians(90) + " " + Math.max(-0.0, 0.0) + " " + Math.min(-0.0, 0.0) + " " + Math.max(Double.NaN, 1) + " " + Math.min(1f, Float.NaN) + " " + Math.copySign(3, -0.0) + " " + hex(Math.fma(0.1, 10, -1)) + " " + Math.fma(1e308, 10, Double.NEGATIVE_INFINITY) + " " + Math.nextAfter(1f, 2) + " " + Math.ulp(1f) + " " + Math.sin(0) + " " + Math.cos(0) + " " + Math.exp(0) + " " + Math.log(1) + " " + Math.pow(2, 10) + " " + Math.sqrt(2) + " " + Math.cbrt(27) + " " + Math.hypot(3, 4));
        show(() -> Math.addExact(2_000_000_000, 2_000_000_000));
        show(() -> Math.subtractExact(Long.MIN_VALUE, 1L));
        show(() -> Math.multiplyExact(65536, 32768));
        show(() -> Math.multiplyExact(Long.MIN_VALUE, -1L));
        show(() -> Math.negateExact(Integer.MIN_VALUE));
        show(() -> Math.incrementExact(Integer.MAX_VALUE));
        show(() -> Math.decrementExact(Long.MIN_VALUE));
        show(() -> Math.absExact(Integer.MIN_VALUE));
        show(() -> Math.toIntExact(1L << 31));
        show(() -> Math.addExact(5L, 6L) + Math.multiplyExact(7L, 6) + Math.multiplyFull(1 << 30, 8));
        System.out.println();
        for (int a : new int[] {7, -7}) for (int b : new int[] {3, -3}) System.out.print(Math.floorDiv(a, b) + " " + Math.floorMod(a, b) + " " + Math.floorMod((long) a, b) + "; ");
        System.out.println(Math.floorDiv(Integer.MIN_VALUE, -1) + " " + Math.multiplyHigh(1L << 62, 12) + " " + Math.multiplyHigh(-5L, 7L) + " " + Math.abs(Integer.MIN_VALUE) + " " + Math.abs(-5L));
        show(() -> Math.floorDiv(1, 0));
        show(() -> Math.floorMod(1L, 0L));
        System.out.println(Math.E + " " + Math.PI);
        double s = 0;
        for (int i = 1; i <= 300; i++) s += StrictMath.sin(i) * StrictMath.log(i) + StrictMath.pow(i, -1.5) + StrictMath.exp(-i / 50.0) * StrictMath.cos(i * 1e6);
        System.out.println(hex(s));
        System.out.println(Double.compare(0.0, -0.0) + " " + Double.compare(Double.NaN, 1) + " " + Float.compare(1f, 2f) + " " + Double.isFinite(1 / 0.0) + Float.isNaN(0f / 0) + " " + Double.hashCode(-0.0) + " " + Float.floatToRawIntBits(-0f) + " " + Double.doubleToRawLongBits(Double.NaN) + " " + Double.sum(0.1, 0.2) + " " + Double.MIN_NORMAL + " " + Float.MIN_EXPONENT);
    }
}
