/** Helpful messages: long chains, calls as links, merged values, rewritten parameters, shortened class names. */
public class NpeChains {
    interface Body { Object run(); }

    static class Link {
        Link a;
        Link[] many;
        int[] ints;
        static Link top;
        Link self() { return this; }
        Link none(Object o, String s, StringBuilder b, String[] t, int[][] u, java.util.List<String> l) { return null; }
        static Link made(long x, double y, char... c) { return null; }
    }

    static void show(Body b) {
        try {
            System.out.println("no exception: " + b.run());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Link l = new Link();
        Link.top = new Link();
        Link.top.a = new Link();
        Link.top.a.a = new Link();
        Link.top.a.a.a = new Link();
        Link.top.a.a.a.a = new Link();
        Link.top.a.a.a.a.a = new Link();
        int[] index = {0, 1};
        show(() -> Link.top.a.a.a.a.a.a.a);
        show(() -> Link.top.a.a.a.a.a.ints[3]);
        show(() -> l.self().self().a.a);
        show(() -> l.none(null, null, null, null, null, null).a);
        show(() -> Link.made(1, 2, 'c').self());
        show(() -> l.many[index[0]].a);
        show(() -> l.self().many[index[1]]);
        show(() -> new Link[][] {{null}, null}[0][index[0]].a);
        show(() -> { l.ints[index[0]]++; return l; });
        show(() -> { l.ints[2] += 5; return l; });
        show(() -> { l.a.a = l.a.a.a = l; return l; });
        show(() -> { Link m = args.length > 5 ? l : null; return m.a; });
        show(() -> (args.length > 5 ? l : l.a).a);
        show(() -> { Object o = l.a; return ((Link) o).a; });
        show(() -> { String s = null; switch (s) { case "x": return 1; default: return 2; } });
        show(() -> { Thread.State s = null; switch (s) { case NEW: return 1; default: return 2; } });
        show(() -> { Link[] all = null; for (Link x : all) return x; return 0; });
        show(() -> { Iterable<Link> all = null; for (Link x : all) return x; return 0; });
        show(() -> { Integer boxed = null; int i = boxed; return i; });
        show(() -> { Boolean b = null; return b ? 1 : 2; });
        show(() -> { Runnable r = null; Runnable s = r::run; return s; });
        show(() -> { NpeChains c = null; return c.new Inner(); });
        show(() -> parameter(null, 3));
        show(() -> many(1L, 2.0, null, (byte) 300 % 7));
        show(() -> { long[][] a = new long[1][]; a[0][127] = 1; return a; });
        show(() -> { long[][] a = new long[40000][]; a[-1 + 1][32767] = 1; return a; });
        show(() -> { synchronized (l.a) { return 1; } });
        show(() -> { throw null; });
    }

    class Inner { }

    static Object parameter(Link p, int i) {
        if (i == 3) p = null;
        return p.self();
    }

    static Object many(long a, double b, Link p, int i) {
        return p.many[i];
    }
}
