/** Expressions for which javac uses dup_x1, dup_x2, dup2, dup2_x1, dup2_x2, pop2: values of nested assignments. */
public class StackShuffles {
    static int si;
    static long sl;
    int i;
    long l;
    double d;
    static long wide() { sl += 3; return sl; }
    static double fall() { return 2.5; }

    StackShuffles me() { return this; }

    public static void main(String[] args) {
        StackShuffles o = new StackShuffles();
        int[] ia = new int[4];
        long[] la = new long[4];
        double[] da = new double[4];
        byte[] ba = new byte[4];
        Object[] oa = new Object[4];
        int x = o.i = ia[1] = si = 42;
        System.out.println(x + " " + o.i + " " + ia[1] + " " + si);
        long y = o.l = la[2] = sl = 1L << 40;
        System.out.println(y + " " + o.l + " " + la[2] + " " + sl);
        double z = o.d = da[3] = 1.5;
        System.out.println((int) (z * 10) + " " + (int) (o.d * 10) + " " + (int) (da[3] * 10));
        System.out.println(o.me().i++ + " " + o.i + " " + ++o.me().i + " " + o.me().i--);
        System.out.println(o.me().l++ + " " + o.l + " " + --o.me().l);
        System.out.println((int) o.d++ + " " + (int) ++o.d);
        System.out.println(ia[1]++ + " " + ++ia[1] + " " + (ia[1] += 10) + " " + (ia[1] -= 3));
        System.out.println(la[2]++ + " " + ++la[2] + " " + (la[2] *= 3));
        System.out.println((int) da[3]-- + " " + (int) (da[3] /= 0.25));
        System.out.println((ba[0] = (byte) 200) + " " + ba[0]++ + " " + (ba[0] += 100));
        System.out.println(sl++ + " " + (sl <<= 2) + " " + si-- + " " + (si %= 5));
        wide();
        fall();
        wide();
        System.out.println(sl);
        Object p = oa[0] = oa[1] = "shared";
        System.out.println(p == oa[0] && p == oa[1]);
        int[][] nested = new int[2][2];
        nested[1][si = 1] = nested[si - 1][1] = 7;
        System.out.println(nested[0][1] + " " + nested[1][1] + " " + si);
        long sum = 0;
        for (int k = 0; k < 10; k++) sum += la[k & 3] += sl -= o.l += k;
        System.out.println(sum + " " + sl + " " + o.l + " " + la[0]);
        Integer boxed = 5;
        Integer old = boxed++;
        boxed += old--;
        System.out.println(boxed + " " + old);
        Long[] boxes = {1L, 2L};
        System.out.println(boxes[0]++ + " " + ++boxes[1] + " " + boxes[0] + " " + (boxes[1] += boxes[0]));
        String[] strings = {"a", null};
        strings[0] += "b" + (strings[1] += 1);
        System.out.println(strings[0] + " " + strings[1]);
    }
}
