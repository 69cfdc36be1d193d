import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Which NaN comes out of which: functions of one argument hand on the bits of theirs. */
public class NanBits {
    static final double[] INPUT = {
        Double.longBitsToDouble(0xfff8000000000123L), Double.longBitsToDouble(0x7ff8000000000321L), Double.longBitsToDouble(0x7ff000000000abcdL),
        Double.longBitsToDouble(0xfffcba9876543210L), Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -2, 2};

    static void show(String name, DoubleUnaryOperator strict, DoubleUnaryOperator usual) {
        for (double d : INPUT) {
            long s = Double.doubleToRawLongBits(strict.applyAsDouble(d)), u = Double.doubleToRawLongBits(usual.applyAsDouble(d));
            System.out.printf("%s %x %x %b%n", name, Double.doubleToRawLongBits(d), s, s == u);
        }
    }

    static void show2(String name, DoubleBinaryOperator f) {
        for (double a : INPUT)
            for (double b : INPUT)
                // of two NaNs it may hand on either
                if (!Double.isNaN(a) || !Double.isNaN(b))
                    System.out.printf("%s %x %x %x%n", name, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b), Double.doubleToRawLongBits(f.applyAsDouble(a, b)));
    }

    public static void main(String[] args) {
        show("sin", StrictMath::sin, Math::sin);
        show("cos", StrictMath::cos, Math::cos);
        show("tan", StrictMath::tan, Math::tan);
        show("asin", StrictMath::asin, Math::asin);
        show("acos", StrictMath::acos, Math::acos);
        show("atan", StrictMath::atan, Math::atan);
        show("exp", StrictMath::exp, Math::exp);
        show("expm1", StrictMath::expm1, Math::expm1);
        show("log", StrictMath::log, Math::log);
        show("log10", StrictMath::log10, Math::log10);
        show("log1p", StrictMath::log1p, Math::log1p);
        show("sqrt", StrictMath::sqrt, Math::sqrt);
        show("cbrt", StrictMath::cbrt, Math::cbrt);
        show("sinh", StrictMath::sinh, Math::sinh);
        show("cosh", StrictMath::cosh, Math::cosh);
        show("tanh", StrictMath::tanh, Math::tanh);
        show2("atan2", StrictMath::atan2);
        show2("pow", StrictMath::pow);
        show2("remainder", StrictMath::IEEEremainder);
    }
}
