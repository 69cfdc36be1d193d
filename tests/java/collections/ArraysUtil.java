import java.util.*;

/** java.util.Arrays: sorting (stable, partial, parallel), searching, comparing, filling, deep operations, views, hashing. */
public class ArraysUtil {
    record Item(int key, int seq) { }

    public static void main(String[] args) {
        Random r = new Random(42);
        int[] a = r.ints(2000, -1000, 1000).toArray(), b = a.clone(), c = a.clone();
        Arrays.sort(a);
        Arrays.parallelSort(b);
        Arrays.sort(c, 100, 1500);
        System.out.println(Arrays.equals(a, b) + " " + Arrays.hashCode(a) + " " + Arrays.hashCode(c) + " " + Arrays.binarySearch(a, a[1234]) + " " + Arrays.binarySearch(a, 5000) + " " + Arrays.mismatch(a, c));
        double[] d = {3, Double.NaN, -0.0, 0.0, Double.NEGATIVE_INFINITY, 1, -5};
        Arrays.sort(d);
        System.out.println(Arrays.toString(d) + " " + Arrays.binarySearch(d, 0.0) + Arrays.binarySearch(d, -0.0));
        byte[] bytes = new byte[300];
        r.nextBytes(bytes);
        Arrays.sort(bytes);
        char[] chars = "sort these characters please".toCharArray();
        Arrays.sort(chars);
        short[] shorts = {3, -1, 2};
        Arrays.sort(shorts);
        long[] longs = r.longs(500).toArray();
        Arrays.sort(longs);
        float[] floats = {2.5f, Float.NaN, -1};
        Arrays.sort(floats);
        System.out.println(Arrays.hashCode(bytes) + " " + new String(chars).trim() + " " + Arrays.toString(shorts) + Arrays.hashCode(longs) + Arrays.toString(floats));
        Item[] items = new Item[1000];
        for (int i = 0; i < items.length; i++) items[i] = new Item(r.nextInt(50), i);
        Arrays.sort(items, Comparator.comparingInt(Item::key));
        boolean stable = true;
        for (int i = 1; i < items.length; i++) stable &= items[i - 1].key() < items[i].key() || items[i - 1].key() == items[i].key() && items[i - 1].seq() < items[i].seq();
        System.out.println(stable + " " + items[500]);
        String[] s = {"pear", null, "fig", "Apple"};
        Arrays.sort(s, Comparator.nullsFirst(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder())));
        System.out.println(Arrays.toString(s) + Arrays.asList(s).indexOf("fig"));
        try {
            Arrays.sort(new Object[] {1, "x", 2});
        } catch (ClassCastException e) {
            System.out.println("mixed");
        }
        Integer[] seq = new Integer[100];
        Arrays.setAll(seq, i -> i * 7919 % 101);
        try {
            Arrays.sort(seq, (x, y) -> x % 3 == 0 ? 1 : -1);
            System.out.println("inconsistent comparator unnoticed");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        int[][] deep = {{1, 2}, {3}, null}, same = {{1, 2}, {3}, null};
        System.out.println(Arrays.deepToString(deep) + Arrays.deepEquals(deep, same) + Arrays.equals(deep, same) + " " + Arrays.deepHashCode(deep) + " " + Arrays.deepToString(new Object[] {new double[] {1}, "s", new boolean[1][2]}));
        int[] f = new int[6];
        Arrays.fill(f, 2, 5, 9);
        long[] prefix = {1, 2, 3, 4};
        Arrays.parallelPrefix(prefix, (x, y) -> x * y);
        System.out.println(Arrays.toString(f) + Arrays.toString(prefix) + Arrays.toString(Arrays.copyOf(f, 8)) + Arrays.toString(Arrays.copyOfRange(f, 4, 9)) + Arrays.compare(new int[] {1, 2}, new int[] {1, 3}) + Arrays.compare(new String[] {"a"}, null) + Arrays.equals(f, 2, 4, f, 3, 5) + Arrays.compareUnsigned(new byte[] {-1}, new byte[] {1}));
        List<Integer> view = Arrays.asList(1, 2, 3);
        view.set(0, 10);
        Collections.reverse(view);
        System.out.println(view + " " + Arrays.stream(f, 1, 4).sum() + " " + Arrays.toString((int[]) null) + " " + Arrays.hashCode((int[]) null) + Arrays.hashCode(new Object[] {null, 1, "x"}) + Arrays.hashCode(new boolean[] {true, false}) + Arrays.hashCode(new double[] {-0.0, 0.0}));
        for (int[] range : new int[][] {{2, 1}, {-1, 3}, {0, 7}}) {
            try {
                Arrays.fill(f, range[0], range[1], 0);
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        int[] nearly = new int[5000];
        for (int i = 0; i < nearly.length; i++) nearly[i] = i / 50 * 50 + (i * 13) % 50;
        Arrays.sort(nearly);
        int[] runs = new int[3000];
        for (int i = 0; i < runs.length; i++) runs[i] = i % 1000 < 500 ? i : -i;
        Arrays.sort(runs);
        System.out.println(Arrays.hashCode(nearly) + " " + Arrays.hashCode(runs));
    }
}
