import java.math.BigInteger;
import java.util.*;

/** BigInteger: arithmetic of all sizes, bits, number theory, conversions, failures. */
public class BigIntegers {
    static BigInteger b(String s) { return new BigInteger(s); }

    public static void main(String[] args) {
        BigInteger a = b("123456789012345678901234567890"), c = b("-987654321098765432109876543210");
        System.out.println(a.add(c) + " " + a.subtract(c) + " " + a.multiply(c) + " " + c.divide(a) + " " + c.remainder(a) + " " + c.mod(a) + " " + Arrays.toString(c.divideAndRemainder(b("97"))));
        System.out.println(a.negate() + " " + c.abs() + " " + c.signum() + " " + a.compareTo(c) + " " + a.equals(b("123456789012345678901234567890")) + " " + a.hashCode() + " " + a.max(c).equals(a) + " " + a.min(c).equals(c));
        System.out.println(a.pow(7) + " " + a.sqrt() + " " + a.gcd(b("9876543210")) + " " + Arrays.toString(a.sqrtAndRemainder()));
        System.out.println(a.shiftLeft(70) + " " + a.shiftRight(33) + " " + c.shiftRight(65) + " " + c.shiftRight(1000) + " " + a.shiftLeft(-5));
        System.out.println(a.and(c) + " " + a.or(c) + " " + a.xor(c) + " " + c.not() + " " + a.andNot(c));
        System.out.println(a.bitLength() + " " + c.bitLength() + " " + c.bitCount() + " " + a.testBit(5) + c.testBit(500) + " " + a.setBit(200) + " " + a.clearBit(4) + " " + a.flipBit(1) + " " + a.getLowestSetBit());
        System.out.println(b("3").modPow(b("1000"), b("1000007")) + " " + b("3").modInverse(b("1000007")) + " " + b("3").modPow(b("-2"), b("7")) + " " + b("123456789").modPow(a, b("340282366920938463463374607431768211507")));
        System.out.println(b("1000000007").isProbablePrime(20) + " " + b("1000000008").isProbablePrime(20) + " " + b("170141183460469231731687303715884105727").isProbablePrime(20) + " " + b("1000").nextProbablePrime());
        System.out.println(a.toString(2).length() + " " + a.toString(36) + " " + new BigInteger("-zz", 36) + " " + c.toString(16) + " " + Arrays.toString(b("-129").toByteArray()) + " " + new BigInteger(new byte[] {(byte) 0xff, 0, 1}) + " " + new BigInteger(1, new byte[] {(byte) 0xff, 0, 1}) + " " + new BigInteger(-1, new byte[] {5}));
        System.out.println(a.intValue() + " " + a.longValue() + " " + a.doubleValue() + " " + a.floatValue() + " " + b("9007199254740993").doubleValue() + " " + b("10").pow(400).doubleValue() + " " + BigInteger.valueOf(Long.MIN_VALUE).longValueExact() + " " + c.byteValue() + " " + BigInteger.TWO.shortValueExact());
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 300; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f.toString().length() + " " + f.mod(b("1000000007").pow(3)) + " " + f.bitCount() + " " + f.hashCode());
        BigInteger big = f.pow(20), big2 = f.add(BigInteger.ONE).pow(19);
        System.out.println(big.multiply(big2).mod(b("998244353")) + " " + big.divide(big2).equals(big.subtract(big.mod(big2)).divide(big2)) + " " + new BigInteger(big.toString()).equals(big) + " " + big.gcd(big2) + " " + big.sqrt().pow(2).compareTo(big) + " " + big.toString(7).hashCode());
        BigInteger x = BigInteger.ZERO, y = BigInteger.ONE;
        for (int i = 0; i < 1000; i++) { BigInteger t = x.add(y); x = y; y = t; }
        System.out.println(x);
        System.out.println(new BigInteger(100, new Random(5)) + " " + new BigInteger(64, 10, new Random(9)) + " " + BigInteger.probablePrime(40, new Random(1)));
        Object[][] bad = {{"div", 0}, {"mod", 0}, {"sqrt", 0}, {"inverse", 0}, {"exact", 0}, {"parse", 0}, {"empty", 0}, {"pow", 0}, {"radix", 0}, {"bit", 0}};
        for (Object[] o : bad) {
            try {
                Object r = switch ((String) o[0]) {
                    case "div" -> a.divide(BigInteger.ZERO);
                    case "mod" -> a.mod(c);
                    case "sqrt" -> c.sqrt();
                    case "inverse" -> b("6").modInverse(b("9"));
                    case "exact" -> a.longValueExact();
                    case "parse" -> b("12x");
                    case "empty" -> b("");
                    case "pow" -> a.pow(-1);
                    case "radix" -> new BigInteger("1", 37);
                    default -> a.testBit(-1);
                };
                System.out.println(r);
            } catch (RuntimeException e) {
                System.out.println(o[0] + " " + e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
    }
}
