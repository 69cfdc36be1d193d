/** Results of java.lang.Math in their last bits, as HotSpot's own code for them gives them. */
public class Ulps {
    interface F { double of(double x); }

    static void show(String name, F f, double from, double by) {
        long mixed = 17;
        double x = from;
        for (int i = 0; i < 40; i++, x += by) {
            mixed = mixed * 31 + Double.doubleToLongBits(f.of(x));
        }
        System.out.println(name + " " + f.of(from) + " " + f.of(from + by) + " " + Long.toHexString(mixed));
    }

    public static void main(String[] args) {
        show("sin", Math::sin, -3.7, 0.1931);
        show("cos", Math::cos, -2.5, 0.1713);
        show("tan", Math::tan, -3.0, 0.1713);
        show("exp", Math::exp, -30.5, 1.713);
        show("log", Math::log, 0.013, 2.71);
        show("log10", Math::log10, 0.013, 2.71);
        show("pow 1.7", x -> Math.pow(x, 1.7), 0.013, 2.71);
        show("pow", x -> Math.pow(x, x - 3), 0.013, 0.271);
        show("sinh", Math::sinh, -3.7, 0.1931);
        show("cosh", Math::cosh, -3.7, 0.1931);
        show("tanh", Math::tanh, -3.7, 0.1931);
        show("cbrt", Math::cbrt, -3.7, 0.1931);
        show("asin", Math::asin, -1, 0.05);
        show("atan", Math::atan, -3.7, 0.1931);
        show("strict exp", StrictMath::exp, -30.5, 1.713);
        show("strict pow", x -> StrictMath.pow(x, 1.7), 0.013, 2.71);
        show("strict sin", StrictMath::sin, -3.7, 0.1931);
        double[] edges = {0.0, -0.0, 1, -1, 2, 0.5, Double.NaN, 1 / 0.0, -1 / 0.0, Double.MIN_VALUE, Double.MAX_VALUE, 1e-300, -3};
        long mixed = 17;
        for (double a : edges) {
            double[] all = {Math.sin(a), Math.cos(a), Math.tan(a), Math.exp(a), Math.log(a), Math.log10(a)};
            for (double v : all) mixed = mixed * 31 + Double.doubleToLongBits(v);
            StringBuilder line = new StringBuilder("pow(" + a + ", …)");
            for (double b : edges) line.append(' ').append(Math.pow(a, b));
            System.out.println(line);
        }
        System.out.println(Long.toHexString(mixed));
        // by reflection and by a method handle it is the same method
        try {
            Object one = Math.class.getMethod("exp", double.class).invoke(null, -28.787);
            var type = java.lang.invoke.MethodType.methodType(double.class, double.class);
            double two = (double) java.lang.invoke.MethodHandles.lookup().findStatic(Math.class, "exp", type).invokeExact(-28.787);
            System.out.println(one + " " + two + " " + Math.exp(-28.787));
        } catch (Throwable t) {
            System.out.println(t);
        }
    }
}
