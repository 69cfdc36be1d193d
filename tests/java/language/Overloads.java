/** Overload resolution: exact, widening, boxing, varargs; the static type decides. */
public class Overloads {
    static String f(int i) { return "int"; }
    static String f(long l) { return "long"; }
    static String f(double d) { return "double"; }
    static String f(Integer i) { return "Integer"; }
    static String f(Object o) { return "Object"; }
    static String f(int... is) { return "int..." + is.length; }

    static String g(Object o) { return "Object"; }
    static String g(String s) { return "String"; }
    static String g(Integer i) { return "Integer"; }
    static String h(char c) { return "char"; }
    static String h(int i) { return "int"; }
    static String v(Object... os) { return os == null ? "null" : "o" + os.length; }
    static String w(String s, Object... os) { return s + os.length; }
    static String w(String s, String t, Object... os) { return s + t + os.length; }
    static String l(long... ls) { long r = 0; for (long x : ls) r += x; return "l" + r; }
    static String m(byte b) { return "byte"; }
    static String m(short s) { return "short"; }
    static String m(float f) { return "float"; }

    static class A { String who(A a) { return "A.A"; } String who(B b) { return "A.B"; } }
    static class B extends A { String who(A a) { return "B.A"; } String who(B b) { return "B.B"; } String who(Object o) { return "B.O"; } }

    public static void main(String[] args) {
        byte b = 1;
        short s = 2;
        char c = 'c';
        long l = 4;
        float fl = 5;
        Integer boxed = 6;
        Long big = 7L;
        System.out.println(f(b) + " " + f(s) + " " + f(c) + " " + f(3) + " " + f(l) + " " + f(fl) + " " + f(boxed) + " " + f(big) + " " + f("s"));
        System.out.println(f() + " " + f(1, 2) + " " + f(new int[3]) + " " + f((Object) 1) + " " + f((Integer) null));
        Object o = "s";
        System.out.println(g(o) + " " + g("s") + " " + g((String) null) + " " + g(1) + " " + g('c'));
        System.out.println(h('a') + " " + h('a' + 1) + " " + h((char) ('a' + 1)) + " " + h(97));
        System.out.println(v() + " " + v(1) + " " + v(1, "x") + " " + v((Object[]) null) + " " + v((Object) null) + " " + v(new Object[] {1, 2, 3}) + " " + v(new int[] {1, 2, 3}) + " " + v((Object) new String[2]) + " " + v(new String[] {"p", "q"}));
        System.out.println(w("a") + " " + w("a", 1) + " " + w("a", (Object) "b") + " " + l(1, 'a', b) + " " + l());
        System.out.println(m(b) + " " + m(s) + " " + m(c) + " " + m(1) + " " + m(l));
        A ab = new B();
        A aa = new A();
        B bb = new B();
        System.out.println(ab.who(ab) + " " + ab.who(bb) + " " + aa.who(bb) + " " + bb.who(ab) + " " + bb.who(bb) + " " + bb.who("x"));
        StringBuilder sb = new StringBuilder();
        sb.append('a').append((int) 'a').append(1L).append(true).append((Object) null).append(new char[] {'x', 'y'});
        System.out.println(sb);
        char[] chars = {'o', 'k'};
        System.out.println(chars);
        System.out.println(String.valueOf((Object) null) + String.valueOf(c) + String.valueOf((int) c));
    }
}
