/** Records: accessors, canonical and compact constructors, equals, nested and generic records. */
public class Records {
    record Point(int x, int y) {
        static int made;
        static final Point ORIGIN = new Point(0, 0);
        Point { made++; if (x < -100) throw new IllegalArgumentException("x " + x); y = Math.abs(y); }
        Point(int both) { this(both, both); }
        Point plus(Point o) { return new Point(x + o.x, y + o.y); }
    }
    record Pair<A, B>(A first, B second) { <C> Pair<A, C> with(C c) { return new Pair<>(first, c); } }
    record Mixed(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t) { }
    record Empty() { }
    record Arr(int[] a) { public int[] a() { return a.clone(); } }
    record Own(String name) {
        @Override public boolean equals(Object o) { return o instanceof Own w && w.name.equalsIgnoreCase(name); }
        @Override public int hashCode() { return 7; }
        @Override public String toString() { return "Own:" + name; }
        public String name() { return name + "!"; }
    }
    interface HasX { int x(); default int twiceX() { return 2 * x(); } }
    record Impl(int x) implements HasX, Comparable<Impl> { public int compareTo(Impl o) { return x - o.x; } }

    public static void main(String[] args) {
        Point p = new Point(3, -4), q = new Point(3, 4);
        System.out.println(p.x() + " " + p.y() + " " + p.plus(q).x() + " " + new Point(5).y() + " " + Point.made + " " + Point.ORIGIN.x());
        System.out.println(p.equals(q) + " " + (p.hashCode() == q.hashCode()) + " " + p.equals(null) + " " + p.equals("x") + " " + p.equals(new Point(4, 3)));
        System.out.println(p + " " + new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        try {
            new Point(-101, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Pair<String, Integer> pair = new Pair<>("a", 1);
        System.out.println(pair + " " + pair.with(null) + " " + pair.with("x").second().length() + " " + pair.equals(new Pair<>("a", 1)));
        Mixed m = new Mixed(true, (byte) -1, 'c', (short) -2, 3, 4L, 5.5f, Double.NaN, "t");
        System.out.println(m + " " + m.equals(new Mixed(true, (byte) -1, 'c', (short) -2, 3, 4L, 5.5f, Double.NaN, "t")));
        System.out.println(new Mixed(false, (byte) 0, 'c', (short) 0, 0, 0, 0f, 0.0, null).equals(new Mixed(false, (byte) 0, 'c', (short) 0, 0, 0, 0f, -0.0, null)));
        int[] a = {1, 2};
        System.out.println(new Arr(a).equals(new Arr(a)) + " " + new Arr(a).equals(new Arr(a.clone())) + " " + (new Arr(a).a() == a));
        Own o = new Own("Bob");
        System.out.println(o + " " + o.name() + " " + o.equals(new Own("BOB")) + " " + o.hashCode());
        HasX h = new Impl(21);
        System.out.println(h.twiceX() + " " + new Impl(1).compareTo(new Impl(3)) + " " + h);
        record Local(int n) { int next() { return n + 1; } }
        System.out.println(new Local(41).next() + " " + new Local(1));
        System.out.println(Point.class.isRecord() + " " + Point.class.getRecordComponents().length + " " + Pair.class.getRecordComponents()[1].getName() + " " + Records.class.isRecord());
    }
}
