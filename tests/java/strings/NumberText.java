import java.util.Arrays;

/** Numbers to text and back: radixes, unsigned, float and double shortest forms and parsing, hexadecimal floats. */
public class NumberText {
    public static void main(String[] args) {
        double[] ds = {0, -0.0, 1, -1.5, 0.1, 100, 1e7, 1.0E-3, 9.999e-4, 12345678.9, 1e21, 1.7976931348623157e308, 4.9e-324, 2.2250738585072014e-308, Math.PI, 1 / 3.0, 123456789012345680.0, 2e-44, 5e-7, 1e23, 8.41e21, 9007199254740993.0};
        for (double d : ds) System.out.print(d + " " + Double.toHexString(d) + (Double.parseDouble(Double.toString(d)) == d ? "; " : " BAD; "));
        System.out.println();
        float[] fs = {0f, 0.1f, 1e10f, 3.4028235e38f, 1.4e-45f, 16777216f, 0.33333334f, 1.17549435e-38f, 9999999f, 1e7f, 1.0e-3f, 5e-5f};
        for (float f : fs) System.out.print(f + " " + Float.toHexString(f) + (Float.parseFloat(Float.toString(f)) == f ? "; " : " BAD; "));
        System.out.println();
        for (String s : new String[] {"1e400", "-1e-400", "NaN", "-Infinity", "+.5", "5.", "0x1.8p3", "0x.1p-1074", "1_0", "1e", "", " 7 ", "1d", "2f", "2.2250738585072012e-308", "0.1e1", "179769313486231580793e289", "123456789012345678901234567890", "1e-325", "Infinit", "0x1p", "９", "4.9e-324", "2.4703282292062328e-324", "2.4703282292062327e-324", "9007199254740992.5", "9007199254740993.0000001"}) {
            try {
                System.out.print(s + "=" + Double.parseDouble(s) + "/" + Float.parseFloat(s) + " ");
            } catch (NumberFormatException e) {
                System.out.print("<" + e.getMessage() + "> ");
            }
        }
        System.out.println();
        for (int r : new int[] {2, 8, 10, 16, 36, 1}) System.out.print(Integer.toString(-255, r) + " " + Long.toString(Long.MIN_VALUE, r) + " ");
        System.out.println();
        System.out.println(Integer.toBinaryString(-8) + " " + Integer.toOctalString(-1) + " " + Integer.toHexString(-1) + " " + Long.toBinaryString(5) + " " + Long.toHexString(Long.MIN_VALUE) + " " + Integer.toUnsignedString(-1) + " " + Long.toUnsignedString(-1) + " " + Long.toUnsignedString(-1, 36) + " " + Integer.toUnsignedLong(-1));
        System.out.println(Integer.parseUnsignedInt("4294967295") + " " + Long.parseUnsignedLong("18446744073709551615") + " " + Integer.divideUnsigned(-1, 10) + " " + Integer.remainderUnsigned(-1, 10) + " " + Long.divideUnsigned(-1, 10) + " " + Long.remainderUnsigned(Long.MIN_VALUE, 7) + " " + Integer.compareUnsigned(1, -1) + " " + Long.compareUnsigned(-1, 1));
        System.out.println(Integer.decode("0x7f") + " " + Integer.decode("-010") + " " + Long.decode("#ff") + " " + Integer.parseInt("1234", 1, 3, 10) + " " + Integer.valueOf("-0") + " " + Short.decode("-0x8000") + " " + Integer.getInteger("no.such.property", 9) + " " + Boolean.parseBoolean("TrUe") + " " + Byte.toUnsignedInt((byte) -1));
        for (String s : new String[] {"4294967296", "-1", "+5"}) {
            try {
                System.out.print(Integer.parseUnsignedInt(s) + " ");
            } catch (NumberFormatException e) {
                System.out.print("<" + e.getMessage() + "> ");
            }
        }
        System.out.println();
        long h = 0;
        long x = 42;
        for (int i = 0; i < 500; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            double d = Double.longBitsToDouble(x);
            String s = Double.toString(d);
            h = h * 31 + s.hashCode();
            if (d == d && Double.parseDouble(s) != d) System.out.println("round trip " + Long.toHexString(x));
            float f = Float.intBitsToFloat((int) (x >>> 32));
            h = h * 31 + Float.toString(f).hashCode() + Long.toString(x, 7).hashCode();
            if (f == f && Float.parseFloat(Float.toString(f)) != f) System.out.println("float round trip");
        }
        System.out.println(h);
        System.out.println(Arrays.toString(new double[] {1e-10, 1.0 / 7, Math.sqrt(2), 1e15 + 0.3, 1e16}) + " " + (float) 1e-10 + " " + (double) 0.1f + " " + 1.0f * 3.3f + " " + 100.0f / 3);
    }
}
