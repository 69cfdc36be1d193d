/** int arithmetic at its borders: overflow wraps, division truncates, MIN_VALUE / -1 doesn't trap. */
public class IntArith {
    static int[] values = {0, 1, -1, 2, -2, 7, -7, 46341, -46341, 65535, 65536, 0x7fffffff, 0x80000000, 0x80000001, 0x55555555, 0xaaaaaaaa};

    static void show(String op, int v) {
        System.out.print(op);
        System.out.println(v);
    }

    public static void main(String[] args) {
        int min = Integer.MIN_VALUE, max = Integer.MAX_VALUE;
        show("max+1 ", max + 1);
        show("min-1 ", min - 1);
        show("-min ", -min);
        show("min*-1 ", min * -1);
        show("min/-1 ", min / -1);
        show("min%-1 ", min % -1);
        show("max*max ", max * max);
        show("-7/2 ", -7 / 2);
        show("-7%2 ", -7 % 2);
        show("7/-2 ", 7 / -2);
        show("7%-2 ", 7 % -2);
        int h = 17;
        for (int a : values) {
            for (int b : values) {
                h = h * 31 + (a + b);
                h = h * 31 + (a - b);
                h = h * 31 + a * b;
                h = h * 31 + (a & b);
                h = h * 31 + (a | b);
                h = h * 31 + (a ^ b);
                h = h * 31 + (~a);
                if (b != 0) {
                    h = h * 31 + a / b;
                    h = h * 31 + a % b;
                }
                if (a / 2 * 2 + a % 2 != a) System.out.println("division is wrong for " + a);
            }
            show("h ", h);
        }
        int i = 10;
        i += i++ + ++i;
        show("i ", i);
        i -= i-- - --i;
        show("i ", i);
        i = i++ + i++;
        show("i ", i);
        i ^= i << 3 ^ i >>> 2;
        show("i ", i);
        try {
            show("zero ", 1 / (i - i));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            show("zero ", 1 % (i - i));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
