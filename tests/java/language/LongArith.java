/** long arithmetic at its borders, comparisons, mixing with int. */
public class LongArith {
    static long[] values = {0, 1, -1, 2, -3, 10, 3037000500L, -3037000500L, 1L << 32, (1L << 32) - 1, -(1L << 32), Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, 0x5555555555555555L};

    static void show(String op, long v) {
        System.out.print(op);
        System.out.println(v);
    }

    static String order(long a, long b) {
        return (a < b ? "<" : "") + (a <= b ? "l" : "") + (a > b ? ">" : "") + (a >= b ? "g" : "") + (a == b ? "=" : "") + (a != b ? "!" : "");
    }

    public static void main(String[] args) {
        long min = Long.MIN_VALUE, max = Long.MAX_VALUE;
        show("max+1 ", max + 1);
        show("-min ", -min);
        show("min/-1 ", min / -1);
        show("min%-1 ", min % -1);
        show("max*max ", max * max);
        show("-7/2 ", -7L / 2);
        show("-7%2 ", -7L % 2);
        long h = 17;
        for (long a : values) {
            for (long b : values) {
                h = h * 31 + (a + b);
                h = h * 31 + (a - b);
                h = h * 31 + a * b;
                h = h * 31 + ((a & b) ^ (a | b) ^ (~a ^ b));
                if (b != 0) h = h * 31 + a / b + 7 * (a % b);
                h = h * 31 + order(a, b).length();
            }
            show("h ", h);
        }
        System.out.println(order(1, 2) + " " + order(2, 1) + " " + order(min, max) + " " + order(max, min) + " " + order(1L << 32, 0) + " " + order(5, 5));
        int i = -1;
        long l = i;
        show("sign extended ", l);
        show("masked ", i & 0xffffffffL);
        show("l2i ", (int) 0x123456789L);
        show("l2i ", (int) (max - 5));
        show("int*int ", 100000 * 100000);
        show("long*int ", 100000L * 100000);
        i += 5000000000L;
        show("i+= ", i);
        i *= 1L << 31;
        show("i*= ", i);
        l >>>= 60;
        show("l>>>= ", l);
        l = l++ + ++l;
        show("l ", l);
        try {
            show("zero ", 1L / (l - l));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            show("zero ", l % (l - l));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
