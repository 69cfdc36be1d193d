/** instanceof with patterns, their scope, and sealed hierarchies. */
public class Patterns {
    sealed interface Expr permits Num, Add, Mul, Neg { }
    record Num(int v) implements Expr { }
    record Add(Expr l, Expr r) implements Expr { }
    record Mul(Expr l, Expr r) implements Expr { }
    static final class Neg implements Expr { final Expr e; Neg(Expr e) { this.e = e; } }

    static int eval(Expr e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a) return eval(a.l()) + eval(a.r());
        if (e instanceof Mul m) return eval(m.l()) * eval(m.r());
        if (!(e instanceof Neg n)) throw new AssertionError();
        return -eval(n.e);
    }

    static String show(Expr e) {
        return e instanceof Num n ? (n.v() < 0 ? "(" + n.v() + ")" : "" + n.v())
            : e instanceof Add a ? "(" + show(a.l()) + " + " + show(a.r()) + ")"
            : e instanceof Mul m ? show(m.l()) + " * " + show(m.r())
            : "-" + show(((Neg) e).e);
    }

    static Expr simplify(Expr e) {
        if (e instanceof Mul m) {
            Expr l = simplify(m.l()), r = simplify(m.r());
            if (l instanceof Num n && n.v() == 0 || r instanceof Num k && k.v() == 0) return new Num(0);
            if (l instanceof Num n && n.v() == 1) return r;
            if (l instanceof Num a && r instanceof Num b) return new Num(a.v() * b.v());
            return new Mul(l, r);
        } else if (e instanceof Neg n && simplify(n.e) instanceof Neg inner) {
            return simplify(inner.e);
        }
        return e;
    }

    static int field = 7;

    static String kind(Object o) {
        if (o instanceof String s && s.length() > 2) return "long " + s;
        if (!(o instanceof Integer field)) return "other " + Patterns.field + (o instanceof String s ? s : "");
        while (!(o instanceof Long l)) o = field + 1L;
        return "int " + field + " " + l;
    }

    static String arrays(Object o) {
        if (o instanceof int[] a && a.length > 0) return "ints " + a[0];
        if (o instanceof Object[] a) return "objects " + a.length + (a instanceof String[] s && s.length > 0 ? s[0] : "");
        if (o instanceof Comparable<?> c) return "comparable";
        return o == null ? "null" : "none";
    }

    public static void main(String[] args) {
        Expr e = new Add(new Num(2), new Mul(new Num(3), new Neg(new Num(-4))));
        System.out.println(show(e) + " = " + eval(e));
        System.out.println(show(simplify(new Mul(new Num(1), new Mul(new Num(6), new Num(7))))));
        System.out.println(show(simplify(new Mul(e, new Num(0)))) + " " + show(simplify(new Neg(new Neg(e)))));
        for (Object o : new Object[] {"ab", "abc", 5, 6L, null}) System.out.println(kind(o));
        for (Object o : new Object[] {new int[] {9}, new int[0], new String[] {"x"}, new Integer[2], "s", null, new Object()}) System.out.println(arrays(o));
        System.out.println(Expr.class.isSealed() + " " + Expr.class.getPermittedSubclasses().length + " " + Num.class.isSealed());
        Object o = "text";
        boolean both = o instanceof String s && !s.isEmpty() || o instanceof Integer;
        System.out.println(both && o instanceof CharSequence c && c.charAt(0) == 't');
    }
}
