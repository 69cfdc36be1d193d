import java.util.*;

/** Long chains, wide arrays and dense cycles: a collector that recurses, or scans arrays wrongly, fails here. */
public class DeepGraphs {
    static class Link { Link next; final int id; Link(Link n, int id) { next = n; this.id = id; } }

    static class Wide { Object a, b, c, d; long x = 1; byte y = 2; Object e, f; double z = 3; Object g; boolean w = true; Object h; Object get(int i) { return switch (i) { case 0 -> a; case 1 -> b; case 2 -> c; case 3 -> d; case 4 -> e; case 5 -> f; case 6 -> g; default -> h; }; } }

    static class Base { Object base = "base"; int i = 5; }
    static class Mid extends Base { byte tiny = 1; Object mid = new int[] {7}; }
    static class Leaf extends Mid { Object leaf = new Object[] {this}; short s = 9; static Object shared = new StringBuilder("static"); }

    public static void main(String[] args) {
        Link head = null;
        for (int i = 0; i < 200_000; i++) head = new Link(head, i);
        System.gc();
        long sum = 0;
        int n = 0;
        for (Link l = head; l != null; l = l.next) { sum += l.id; n++; }
        System.out.println(n + " " + sum);
        head = null;
        Object[] nested = new Object[1];
        Object[] at = nested;
        for (int i = 0; i < 50_000; i++) { Object[] in = new Object[2]; at[0] = in; at = in; }
        at[1] = "bottom";
        System.gc();
        n = 0;
        for (at = nested; at[0] != null; at = (Object[]) at[0]) n++;
        System.out.println(n + " " + at[1]);
        Object[] big = new Object[100_000];
        for (int i = 0; i < big.length; i += 1000) big[i] = "element " + i;
        System.gc();
        int found = 0, h = 0;
        for (Object o : big) if (o != null) { found++; h = h * 31 + o.hashCode(); }
        System.out.println(found + " " + h);
        Wide[] ws = new Wide[1000];
        for (int i = 0; i < ws.length; i++) ws[i] = new Wide();
        for (int i = 0; i < ws.length; i++) {
            Wide w = ws[i];
            w.a = ws[(i + 1) % 1000]; w.b = ws[(i * 7) % 1000]; w.c = "c" + i; w.d = w; w.e = new int[] {i}; w.f = ws; w.g = Integer.valueOf(i + 1000); w.h = null;
        }
        System.gc();
        System.gc();
        int bad = 0;
        for (int i = 0; i < ws.length; i++) {
            Wide w = ws[i];
            if (w.a != ws[(i + 1) % 1000] || w.get(1) != ws[(i * 7) % 1000] || !w.c.equals("c" + i) || w.d != w || ((int[]) w.e)[0] != i || w.f != ws || (Integer) w.g != i + 1000 || w.h != null || w.x != 1 || w.y != 2 || w.z != 3 || !w.w) bad++;
        }
        System.out.println(bad);
        Leaf leaf = new Leaf();
        System.gc();
        System.out.println(leaf.base + " " + leaf.i + " " + leaf.tiny + " " + ((int[]) leaf.mid)[0] + " " + (((Object[]) leaf.leaf)[0] == leaf) + " " + leaf.s + " " + Leaf.shared);
        System.out.println(recurse(500, new Object[] {"on the stack"}));
    }

    static String recurse(int n, Object[] held) {
        Object local = new int[] {n};
        String text = "n" + n;
        if (n == 0) { System.gc(); return (String) held[0]; }
        String r = recurse(n - 1, held);
        return ((int[]) local)[0] == n && text.equals("n" + n) ? r : "lost at " + n;
    }
}
