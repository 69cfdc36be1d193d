/** Operands are evaluated from left to right, also in calls, array accesses and assignments. */
public class EvalOrder {
    static StringBuilder log = new StringBuilder();
    static int[] array = {10, 20, 30, 40};

    static int n(String name, int v) { log.append(name); return v; }
    static boolean t(String name, boolean v) { log.append(name); return v; }
    static int[] arr(String name) { log.append(name); return array; }
    static int three(int a, int b, int c) { log.append('('); return a * 100 + b * 10 + c; }
    EvalOrder self(String name) { log.append(name); return this; }
    int field;

    static void flush(String what) {
        System.out.println(what + ": " + log);
        log.setLength(0);
    }

    public static void main(String[] args) {
        flush("sum " + (n("a", 1) + n("b", 2) * n("c", 3) - n("d", 4)));
        flush("call " + three(n("a", 1), n("b", 2), n("c", 3)));
        flush("and " + (t("a", false) && t("b", true) || t("c", true) && t("d", false)));
        flush("or " + (t("a", true) || t("b", true) && t("c", false)));
        flush("eager " + (t("a", false) & t("b", true) | t("c", true) ^ t("d", true)));
        flush("cond " + (t("a", true) ? n("b", 1) : n("c", 2)) + (t("d", false) ? n("e", 1) : n("f", 2)));
        arr("a")[n("b", 1)] = n("c", 99);
        flush("store " + array[1]);
        arr("a")[n("b", 1)] += n("c", 1);
        flush("compound " + array[1]);
        int i = 0;
        array[i] = i = 2;
        flush("index first " + array[0] + " " + i);
        i = 1;
        i += i++ * 2 + i;
        flush("i " + i);
        int k = 3;
        k = k++ + k--;
        flush("k " + k);
        int[] a = {1, 2, 3};
        int j = 0;
        a[j++] = a[j] + a[++j];
        flush("a " + a[0] + " " + j);
        a[--j] <<= j++;
        flush("a " + a[1] + " " + j);
        EvalOrder o = new EvalOrder();
        o.self("x").field = o.self("y").field += n("z", 5);
        flush("field " + o.field);
        try {
            int[] none = null;
            none[n("i", 0)] = n("v", 1);
        } catch (NullPointerException e) {
            flush("null array");
        }
        try {
            arr("a")[n("i", 9)] = n("v", 1 / (k - k));
        } catch (ArithmeticException e) {
            flush("division before bounds");
        }
        try {
            arr("a")[n("i", 9)] = n("v", 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            flush("bounds last");
        }
        try {
            three(n("p", 1), n("q", 1 % (k - k)), n("r", 2));
        } catch (ArithmeticException e) {
            flush("abrupt");
        }
    }
}
