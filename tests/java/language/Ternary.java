/** Conditional expressions and boolean logic: types of mixed operands, definite values, negations, bit forms. */
public class Ternary {
    static int calls;
    static boolean t() { calls++; return true; }
    static boolean f() { calls--; return false; }

    static int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

    static boolean logic(int bits) {
        boolean a = (bits & 1) != 0, b = (bits & 2) != 0, c = (bits & 4) != 0;
        boolean r = a && !b || !(c || a) && b ^ c;
        r ^= a == b;
        r |= a != c && (b ? c : !a);
        r &= !(a && b && c);
        return r;
    }

    static boolean parity(boolean... bs) {
        boolean p = false;
        for (boolean b : bs) p ^= b;
        return p;
    }

    public static void main(String[] args) {
        System.out.println(sign(5) + " " + sign(-5) + " " + sign(0) + " " + sign(Integer.MIN_VALUE));
        for (int i = 0; i < 8; i++) System.out.print(logic(i) + " ");
        System.out.println();
        boolean yes = args.length == 0;
        System.out.println((yes ? 'a' : 0) + " " + (yes ? 'a' : args.length) + " " + (yes ? 1 : 'b') + " " + (yes ? (short) 1 : 'b') + " " + (yes ? null : 0) + " " + (yes ? 1 : 2.0f) + " " + (yes ? 1L : 2));
        Object o = yes ? "s" : 1;
        Object p = yes ? 'c' : "s";
        Object q = !yes ? 'c' : 1L;
        System.out.println(o.getClass().getName() + " " + p.getClass().getName() + " " + q.getClass().getName());
        System.out.println((t() | f() & t() ^ f()) + " " + calls);
        System.out.println((t() || f()) + " " + (f() && t()) + " " + calls);
        boolean x;
        System.out.println((x = t()) + " " + x + " " + (x = !x) + " " + (x |= t()) + " " + (x ^= true));
        int i = 5;
        boolean between = i > 3 == i < 7;
        System.out.println(between + " " + (i > 3 != i > 7) + " " + !(i == 5 ? false : true));
        System.out.println(parity(true, false, true) + " " + parity() + " " + parity(true, true, true));
        int n = 0;
        if (yes) if (!yes) n = 1; else n = 2;
        else n = 3;
        System.out.println(n);
        while (yes ? n < 10 : n > 10) n += yes & n > 5 ? 3 : 1;
        System.out.println(n);
        String s = null;
        System.out.println(s == null ? "null" : s.length() > 2 ? "long" : "short");
        byte b = (byte) (yes ? 1 : 2);
        b += yes ? 'a' : 1.5;
        System.out.println(b);
        long l = yes ? i : 1L << 40;
        System.out.println(l + (yes ? 0.5 : 1));
        boolean[] flags = new boolean[4];
        flags[1] = flags[2] = i++ == 5;
        flags[3] |= flags[1] && i == 6;
        System.out.println(flags[0] + " " + flags[1] + " " + flags[2] + " " + flags[3]);
        final boolean constant = true;
        int unreachable = constant ? 1 : 1 / 0;
        System.out.println(unreachable);
    }
}
