/** Sorting and searching by hand on int, long, char and object arrays; a linear congruential generator feeds them. */
public class Sorting {
    static int seed = 1;
    static int next() { return seed = seed * 1664525 + 1013904223; }

    static void quick(int[] a, int lo, int hi) {
        while (lo < hi) {
            int p = a[lo + hi >>> 1], i = lo, j = hi;
            while (i <= j) {
                while (a[i] < p) i++;
                while (a[j] > p) j--;
                if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
            }
            if (j - lo < hi - i) { quick(a, lo, j); lo = i; } else { quick(a, i, hi); hi = j; }
        }
    }

    static long[] merge(long[] a) {
        if (a.length < 2) return a;
        int m = a.length / 2;
        long[] l = new long[m], r = new long[a.length - m], out = new long[a.length];
        System.arraycopy(a, 0, l, 0, m);
        System.arraycopy(a, m, r, 0, r.length);
        l = merge(l);
        r = merge(r);
        for (int i = 0, j = 0, k = 0; k < out.length; k++) out[k] = j == r.length || i < l.length && l[i] <= r[j] ? l[i++] : r[j++];
        return out;
    }

    static void insertion(Comparable<Object>[] a) {
        for (int i = 1; i < a.length; i++) {
            Comparable<Object> v = a[i];
            int j = i;
            while (j > 0 && a[j - 1].compareTo(v) > 0) a[j] = a[--j];
            a[j] = v;
        }
    }

    static void counting(char[] a) {
        short[] counts = new short[128];
        for (char c : a) counts[c]++;
        int k = 0;
        for (char c = 0; c < 128; c++) while (counts[c]-- > 0) a[k++] = c;
    }

    static void shell(double[] a) {
        for (int gap = a.length / 2; gap > 0; gap /= 2)
            for (int i = gap; i < a.length; i++) {
                double v = a[i];
                int j = i;
                for (; j >= gap && a[j - gap] > v; j -= gap) a[j] = a[j - gap];
                a[j] = v;
            }
    }

    static int search(int[] a, int v) {
        int lo = 0, hi = a.length - 1;
        while (lo <= hi) {
            int m = lo + hi >>> 1;
            if (a[m] < v) lo = m + 1;
            else if (a[m] > v) hi = m - 1;
            else return m;
        }
        return ~lo;
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        int[] a = new int[500];
        long[] l = new long[300];
        double[] d = new double[200];
        for (int i = 0; i < a.length; i++) a[i] = next() >> 8;
        for (int i = 0; i < l.length; i++) l[i] = (long) next() * next();
        for (int i = 0; i < d.length; i++) d[i] = next() / 1024.0;
        quick(a, 0, a.length - 1);
        l = merge(l);
        shell(d);
        long h = 0;
        for (int i = 0; i < a.length; i++) { if (i > 0 && a[i] < a[i - 1]) System.out.println("int " + i); h = h * 31 + a[i]; }
        for (int i = 0; i < l.length; i++) { if (i > 0 && l[i] < l[i - 1]) System.out.println("long " + i); h = h * 31 + l[i]; }
        for (int i = 0; i < d.length; i++) { if (i > 0 && d[i] < d[i - 1]) System.out.println("double " + i); h = h * 31 + (long) d[i]; }
        System.out.println(h);
        System.out.println(search(a, a[77]) + " " + search(a, a[499]) + " " + search(a, Integer.MAX_VALUE) + " " + search(a, Integer.MIN_VALUE));
        String[] words = "pear Apple fig banana Cherry apple date fig elderberry".split(" ");
        insertion((Comparable<Object>[]) (Object) words);
        for (String w : words) System.out.print(w + " ");
        System.out.println();
        char[] text = "the quick brown fox jumps over the lazy dog".toCharArray();
        counting(text);
        System.out.println(new String(text).trim());
    }
}
