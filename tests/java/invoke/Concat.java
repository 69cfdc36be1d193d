/** String concatenation by invokedynamic: all types, constants, many operands, order of evaluation, null. */
public class Concat {
    static int n;
    static String next(String s) { n++; return s + n; }
    static class Odd { @Override public String toString() { return n++ % 2 == 0 ? "even" : null; } }
    record R(int a, Object b) { }

    static String many(int a, long b, char c, float d, double e, boolean f, byte g, short h, Object i, String j) {
        return a + ":" + b + ":" + c + ":" + d + ":" + e + ":" + f + ":" + g + ":" + h + ":" + i + ":" + j;
    }

    public static void main(String[] args) {
        System.out.println(many(1, 2, 'c', 3.5f, -4.25, true, (byte) -5, (short) 6, null, "j"));
        System.out.println(many(Integer.MIN_VALUE, Long.MIN_VALUE, '\u20ac', Float.NaN, Double.POSITIVE_INFINITY, false, Byte.MIN_VALUE, Short.MIN_VALUE, new R(1, "r"), null));
        String none = null;
        char[] chars = {'x'};
        System.out.println(none + none + 1 + none);
        System.out.println(next("a") + next("b") + next("c"));
        System.out.println("" + new Odd() + new Odd() + n);
        String s = "start";
        for (int i = 0; i < 5; i++) s += i + "," + s.length() + ";";
        System.out.println(s);
        s += 'c';
        s += 1.5f;
        s += s;
        System.out.println(s.length() + s.substring(s.length() - 6));
        System.out.println("latin " + "é" + 'ß' + " wide " + "Ω" + '語' + "😀" + 1);
        System.out.println("tags \u0001 and \u0002 in constants " + n + " \u0001");
        int a = 1;
        System.out.println(a + a + "" + a + a + (a + a) + a * 2 + -a + (char) (a + 'a') + (a > 0));
        System.out.println("" + (Object) null + (String) null + (Integer) null);
        String p = "p";
        String big = p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a
            + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a
            + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a
            + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a
            + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p + a + p;
        System.out.println(big.length() + " " + big.hashCode());
        System.out.println((p + "q" == "pq") + " " + (p + "q").equals("pq") + " " + ((p + "") == p));
        double d = 100;
        float f = 1e10f;
        long l = -0L;
        System.out.println(d + " " + f + " " + l + " " + 1e-5 + " " + 1e21 + " " + 123456789.0f + " " + 0.1f + " " + (0.1f + 0.2f) + " " + (0.1 + 0.2) + " " + d / 3);
    }
}
