/** Enums: bodies, fields, interfaces, valueOf, switch, ordinal, static initialisation order. */
public class Enums {
    interface Op { int apply(int a, int b); }

    enum Arith implements Op {
        PLUS("+") { public int apply(int a, int b) { return a + b; } },
        MINUS("-") { public int apply(int a, int b) { return a - b; } },
        TIMES("*") {
            int uses;
            public int apply(int a, int b) { uses++; return a * b * uses; }
        };
        final String sign;
        private static int count;
        static { for (Arith a : values()) count += a.ordinal() + 1; }
        Arith(String sign) { this.sign = sign; }
        static int count() { return count; }
        @Override public String toString() { return "[" + sign + "]"; }
    }

    enum Color { RED, GREEN, BLUE; Color next() { return values()[(ordinal() + 1) % values().length]; } }
    enum Empty { }
    enum Planet {
        EARTH(10), MARS(4);
        final int g;
        Planet(int g) { this.g = g; }
        int weight(int mass) { return switch (this) { case EARTH -> mass * g; case MARS -> mass * g / 2; }; }
    }

    static String mood(Color c) {
        switch (c) {
            case RED: return "angry";
            case BLUE: return "calm";
            default: return "?" + c;
        }
    }

    public static void main(String[] args) {
        for (Arith a : Arith.values()) System.out.println(a + " " + a.name() + " " + a.ordinal() + " " + a.apply(6, 3) + " " + a.apply(6, 3) + " " + (a.getClass() == Arith.class) + " " + (a.getDeclaringClass() == Arith.class));
        System.out.println(Arith.count() + " " + Arith.valueOf("MINUS").sign);
        for (Color c : Color.values()) System.out.println(mood(c) + " " + c.next() + " " + c.compareTo(Color.GREEN));
        System.out.println(Color.valueOf("RED") == Color.RED);
        try {
            Color.valueOf("PINK");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Color.valueOf(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Empty.values().length + " " + Planet.MARS.weight(7) + " " + Planet.EARTH.weight(7));
        Color[] all = Color.values();
        all[0] = null;
        System.out.println(Color.values()[0]);
        Object o = Color.GREEN;
        System.out.println((o instanceof Comparable) + " " + (o instanceof Enum) + " " + o.equals(Color.GREEN) + " " + (o.hashCode() == Color.GREEN.hashCode()));
        System.out.println(Color.class.isEnum() + " " + Arith.TIMES.getClass().isEnum() + " " + Arith.class.getEnumConstants().length);
        Enum<?> e = Color.BLUE;
        System.out.println(e.name() + Enum.valueOf(Color.class, "GREEN").ordinal());
    }
}
