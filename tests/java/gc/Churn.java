import java.util.*;

/** Much short-lived garbage beside a changing long-lived graph, checked against sums kept apart. */
public class Churn {
    static final class Tree {
        Tree left, right;
        final int value;
        Tree(int v) { value = v; }
        static Tree build(int depth, int v) {
            Tree t = new Tree(v);
            if (depth > 0) {
                t.left = build(depth - 1, 2 * v);
                t.right = build(depth - 1, 2 * v + 1);
            }
            return t;
        }
        int sum() { return value + (left == null ? 0 : left.sum() + right.sum()); }
    }

    public static void main(String[] args) {
        Tree keep = Tree.build(10, 1);
        int expect = keep.sum();
        long total = 0;
        for (int i = 0; i < 300; i++) {
            total += Tree.build(6, i).sum();
            if (i % 100 == 0 && keep.sum() != expect) System.out.println("the tree changed");
        }
        System.out.println(expect + " " + total);
        Object[] ring = new Object[512];
        long s = 1, check = 0;
        for (int i = 0; i < 20000; i++) {
            s = s * 6364136223846793005L + 1442695040888963407L;
            int n = (int) (s >>> 40) & 63, at = (int) (s >>> 50) & 511;
            Object o = switch ((int) (s >>> 33) & 7) {
                case 0 -> new byte[n];
                case 1 -> new long[n];
                case 2 -> new Object[] {ring[n], "x"};
                case 3 -> "s" + n;
                case 4 -> new int[] {n, i};
                case 5 -> new Object[n + 1][];
                case 6 -> (Runnable) () -> ring[0] = n;
                default -> Integer.valueOf(i);
            };
            if (o instanceof Object[] a && a.length == 2 && a[0] instanceof Object[] b && b.length == 2) b[0] = null;
            ring[at] = o;
        }
        for (Object o : ring) {
            check = check * 31 + (o == null ? 0 : o instanceof byte[] b ? b.length : o instanceof long[] l ? l.length * 3 : o instanceof String t ? t.hashCode() : o instanceof int[] a ? a[1] - a[0] : o instanceof Object[] a ? a.length : o instanceof Integer k ? k : 7);
        }
        System.out.println(check);
        Map<Integer, List<String>> map = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            map.computeIfAbsent(i % 97, k -> new LinkedList<>()).add("v" + i);
            if (i % 3 == 0) map.get(i % 97).remove(0);
            if (i % 500 == 0) map.remove(i % 97);
        }
        int size = 0, hash = 0;
        for (List<String> l : map.values()) { size += l.size(); hash ^= l.hashCode(); }
        System.out.println(size + " " + hash);
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 3000; i++) { b.append(i).append(','); if (b.length() > 500) b = new StringBuilder(b.substring(b.length() - 100)); }
        System.out.println(b.length() + " " + b.substring(b.length() - 20));
        System.gc();
        System.out.println(keep.sum() == expect);
    }
}
