/** Comparisons of float and double: NaN is unordered, zeros are equal, fcmpl and fcmpg differ. */
public class FloatCompare {
    static String cmp(double a, double b) {
        String s = "";
        if (a < b) s += "lt ";
        if (a <= b) s += "le ";
        if (a > b) s += "gt ";
        if (a >= b) s += "ge ";
        if (a == b) s += "eq ";
        if (a != b) s += "ne ";
        if (!(a < b)) s += "!lt ";
        if (!(a <= b)) s += "!le ";
        if (!(a > b)) s += "!gt ";
        if (!(a >= b)) s += "!ge ";
        return s;
    }

    static String cmp(float a, float b) {
        String s = "";
        if (a < b) s += "lt ";
        if (a <= b) s += "le ";
        if (a > b) s += "gt ";
        if (a >= b) s += "ge ";
        if (a == b) s += "eq ";
        if (a != b) s += "ne ";
        if (!(a < b)) s += "!lt ";
        if (!(a <= b)) s += "!le ";
        if (!(a > b)) s += "!gt ";
        if (!(a >= b)) s += "!ge ";
        return s;
    }

    static boolean less(double a, double b) { return a < b; }
    static boolean notLess(double a, double b) { return !(a < b); }

    public static void main(String[] args) {
        double zero = 0.0, inf = 1 / zero, nan = zero / zero;
        double[] ds = {0.0, -0.0, 1, -1, inf, -inf, nan, Double.MIN_VALUE, Double.MAX_VALUE};
        String[] names = {"0", "-0", "1", "-1", "inf", "-inf", "nan", "tiny", "huge"};
        for (int i = 0; i < ds.length; i++) {
            for (int j = 0; j < ds.length; j++) {
                String d = cmp(ds[i], ds[j]), f = cmp((float) ds[i], (float) ds[j]);
                System.out.println(names[i] + " " + names[j] + ": " + d + (d.equals(f) ? "" : "float " + f));
            }
        }
        System.out.println(less(nan, 1) + " " + notLess(nan, 1) + " " + (nan == nan) + " " + (nan != nan));
        float f = 0.1f;
        System.out.println((f == 0.1) + " " + (f == 0.1f) + " " + ((double) f > 0.1));
        int loops = 0;
        for (double d = 0; d != 1.0 && loops < 20; d += 0.1) loops++;
        System.out.println(loops);
        System.out.println(16777216f == 16777217 ? "rounded" : "exact");
        System.out.println((0.0 == -0.0) + " " + (1 / 0.0 == 1 / -0.0));
        boolean both = nan > 0 || nan <= 0;
        System.out.println(both);
        System.out.println((nan < 0 ? 1 : 0) + (nan > 0 ? 2 : 0) + (nan == 0 ? 4 : 0) + (nan != 0 ? 8 : 0));
    }
}
