/** Helpful NullPointerException messages: what was attempted, and which expression was null. */
public class NpeMessages {
    interface Body { Object run(); }

    static class Node {
        Node next;
        int value;
        long wide;
        int[] data;
        String name;
        static Node root;
        Node next() { return next; }
        static Node make(int a, String b) { return null; }
        Node[] kids() { return null; }
    }

    int own;
    static int[][] grid = {null, {1}};
    static Object object;
    static Integer boxed;
    static String text;

    static void show(Body b) {
        try {
            System.out.println("no exception: " + b.run());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Node n = new Node();
        Node[] nodes = new Node[2];
        int i = 1;
        show(() -> n.next.value);
        show(() -> n.next().value);
        show(() -> n.next.next.next);
        show(() -> Node.root.value);
        show(() -> n.next.value = 5);
        show(() -> n.next.wide = 5L);
        show(() -> n.next.name = "x");
        show(() -> n.data[0]);
        show(() -> n.data[0] = 1);
        show(() -> n.data.length);
        show(() -> nodes[1].value);
        show(() -> nodes[i + 0].next.data[3]);
        show(() -> grid[0][1]);
        show(() -> grid[i - 1].length);
        show(() -> Node.make(1, "b").name);
        show(() -> n.kids()[2].next());
        show(() -> n.name.length());
        show(() -> text.substring(1, 2));
        show(() -> object.toString());
        show(() -> boxed + 1);
        show(() -> ((String) object).isEmpty());
        show(() -> { synchronized (object) { return 1; } });
        show(() -> { RuntimeException e = null; throw e; });
        show(() -> { long[] a = null; return a[5]; });
        show(() -> { byte[] a = null; a[2] = 1; return a; });
        show(() -> { char[] a = null; return a[args.length]; });
        show(() -> { short[] a = null; a[i] = 1; return a; });
        show(() -> { boolean[] a = null; return a[0]; });
        show(() -> { float[] a = null; return a[0]; });
        show(() -> { double[] a = null; a[0] = 1; return a; });
        show(() -> { Object[] a = null; a[0] = a; return a; });
        show(() -> { Node local = n.next; return local.next; });
        show(() -> { Node[][] deep = new Node[2][2]; return deep[1][0].next.value; });
        show(() -> { int k = 3; return grid[k - 3][k * 2]; });
        show(() -> { Runnable r = null; r.run(); return r; });
        show(() -> { java.util.List<String> l = null; return l.get(0); });
        show(() -> { String s = args.length == 0 ? null : "x"; return s.trim(); });
        show(() -> { throw new NullPointerException(); });
        show(() -> { throw new NullPointerException("given"); });
        show(() -> java.util.Objects.requireNonNull(null));
        new NpeMessages().instance(null, 7L, null);
    }

    void instance(Node param, long wide, int[] last) {
        show(() -> param.value);
        try {
            own = param.value;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            own = last[(int) wide];
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            own = this.self().self().own;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    NpeMessages self() { return own == 0 ? null : this; }
}
