import java.math.*;

/** BigDecimal: scales, rounding modes, contexts, string forms, comparison against equality. */
public class BigDecimals {
    static BigDecimal d(String s) { return new BigDecimal(s); }

    public static void main(String[] args) {
        BigDecimal a = d("123.4567"), b = d("-0.0089");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(d("8")) + " " + a.remainder(d("7.1")) + " " + a.divideToIntegralValue(b) + " " + a.negate().abs() + " " + a.pow(3) + " " + b.signum() + a.scale() + a.precision() + " " + a.unscaledValue() + " " + a.ulp());
        for (RoundingMode m : RoundingMode.values()) {
            StringBuilder s = new StringBuilder(m.name());
            for (String v : new String[] {"1.5", "2.5", "-1.5", "-2.5", "1.1", "-1.1", "1.9", "2.0"}) {
                try {
                    s.append(' ').append(d(v).setScale(0, m));
                } catch (ArithmeticException e) {
                    s.append(" <").append(e.getMessage()).append('>');
                }
            }
            System.out.println(s);
        }
        for (MathContext c : new MathContext[] {MathContext.DECIMAL32, MathContext.DECIMAL64, new MathContext(3), new MathContext(5, RoundingMode.FLOOR)}) System.out.println(c + " " + BigDecimal.ONE.divide(d("3"), c) + " " + d("2").sqrt(c) + " " + d("-98765.4321").round(c) + " " + d("1e20").add(d("1"), c) + " " + d("1.05").pow(30, c));
        for (String s : new String[] {"0", "0.00", "-0", "1E+3", "1e-10", "123456789E-20", "12345E5", ".5", "5.", "+7", "0E+7", "1000", "0.0000001", "0.000001"}) {
            BigDecimal v = d(s);
            System.out.println(s + " " + v + " " + v.toPlainString() + " " + v.toEngineeringString() + " " + v.stripTrailingZeros() + " " + v.scale() + " " + v.precision() + " " + v.hashCode());
        }
        System.out.println(d("2.0").equals(d("2.00")) + " " + d("2.0").compareTo(d("2.00")) + " " + d("2.0").stripTrailingZeros().equals(d("2")) + " " + d("1").max(d("1.0")) + " " + new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + BigDecimal.valueOf(5, 3) + " " + new BigDecimal(BigInteger.TEN.pow(30), -5) + " " + new BigDecimal(1e300).precision() + " " + new BigDecimal(Double.MIN_VALUE).scale());
        System.out.println(d("1234.9").intValue() + " " + d("-1234.9").longValue() + " " + d("1e400").doubleValue() + " " + d("0.1").doubleValue() + " " + d("1.17e-38").floatValue() + " " + d("123").intValueExact() + " " + d("99999999999").intValue() + " " + d("12.50").toBigInteger() + " " + d("1e3").byteValue());
        System.out.println(d("12.345").movePointLeft(5) + " " + d("12.345").movePointRight(5) + " " + d("12.345").scaleByPowerOfTen(3) + " " + d("10").divide(d("3"), 5, RoundingMode.HALF_UP) + " " + d("1").divide(d("32")) + " " + d("7").divideAndRemainder(d("0.3"))[1] + " " + a.setScale(6) + " " + a.precision());
        Runnable[] bad = {() -> d("1").divide(d("3")), () -> d("1").divide(BigDecimal.ZERO), () -> d("0").divide(d("0")), () -> d("1.5").intValueExact(), () -> d("1.25").setScale(1), () -> d("x"), () -> d("1e99999999999"), () -> d("-1").sqrt(MathContext.DECIMAL32), () -> d("2").pow(-1), () -> new BigDecimal(Double.NaN), () -> d("1").round(new MathContext(-1)), () -> d("1e2147483647").multiply(d("10e2147483647"))};
        for (Runnable r : bad) {
            try {
                r.run();
                System.out.println("fine");
            } catch (ArithmeticException | NumberFormatException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            } catch (IllegalArgumentException e) {
                System.out.println("argument " + e.getMessage());
            }
        }
        BigDecimal e = BigDecimal.ONE, term = BigDecimal.ONE;
        for (int i = 1; i < 50; i++) e = e.add(term = term.divide(BigDecimal.valueOf(i), 60, RoundingMode.HALF_EVEN));
        System.out.println(e);
        BigDecimal pi = BigDecimal.ZERO;
        for (int k = 0; k < 40; k++) {
            BigDecimal s = d("16").pow(k), k8 = BigDecimal.valueOf(8L * k);
            MathContext c = new MathContext(50);
            pi = pi.add(d("4").divide(k8.add(d("1")), c).subtract(d("2").divide(k8.add(d("4")), c)).subtract(BigDecimal.ONE.divide(k8.add(d("5")), c)).subtract(BigDecimal.ONE.divide(k8.add(d("6")), c)).divide(s, c), c);
        }
        System.out.println(pi.round(new MathContext(45)));
    }
}
