/** Methods of Object and initialisers: equals, hashCode, clone, field initialisation order, instance blocks, chained constructors. */
public class ObjectMethods {
    static StringBuilder log = new StringBuilder();
    static int mark(String s, int v) { log.append(s).append(' '); return v; }

    static class Base implements Cloneable {
        int a = mark("a", 1);
        { mark("base-block", 0); }
        int[] shared = {1, 2};
        Base() { this(mark("arg", 5)); mark("Base()", 0); }
        Base(int x) { a += x; mark("Base(int)", 0); hook(); }
        void hook() { mark("Base.hook", 0); }
        @Override protected Base clone() throws CloneNotSupportedException { return (Base) super.clone(); }
    }

    static class Derived extends Base {
        int b = mark("b", 2);
        final int c = 7;
        final int d;
        { mark("derived-block", 0); d = b + c; }
        Derived() { super(); mark("Derived()", 0); }
        Derived(String s) { this(); mark("Derived(" + s + ")", 0); }
        @Override void hook() { mark("hook b=" + b + " c=" + c + " d=" + d, 0); }
    }

    static class Key {
        final String name; final int n;
        Key(String name, int n) { this.name = name; this.n = n; }
        @Override public boolean equals(Object o) {
            if (this == o) return true;
            if (o == null || o.getClass() != getClass()) return false;
            Key k = (Key) o;
            return n == k.n && (name == null ? k.name == null : name.equals(k.name));
        }
        @Override public int hashCode() { return 31 * n + (name == null ? 0 : name.hashCode()); }
        @Override public String toString() { return name + "#" + n; }
    }

    static class NoClone { Object copy() throws CloneNotSupportedException { return clone(); } }

    public static void main(String[] args) throws Exception {
        Derived d = new Derived("x");
        System.out.println(log);
        System.out.println(d.a + " " + d.b + " " + d.d);
        Derived copy = (Derived) d.clone();
        copy.b = 99;
        copy.shared[0] = 50;
        System.out.println(d.b + " " + d.shared[0] + " " + (copy.getClass() == Derived.class) + " " + (copy != d) + " " + copy.d);
        try {
            new NoClone().copy();
        } catch (CloneNotSupportedException e) {
            System.out.println(e);
        }
        Key k = new Key("k", 1);
        System.out.println(k.equals(new Key("k", 1)) + " " + k.equals(new Key("k", 2)) + " " + k.equals(new Key(null, 1)) + " " + new Key(null, 1).equals(new Key(null, 1)) + " " + k.equals(null) + " " + k.equals("k#1"));
        System.out.println(k + " " + k.hashCode() + " " + new Key(null, -1).hashCode());
        Object o = new Object();
        String s = o.toString();
        System.out.println(s.startsWith("java.lang.Object@") + " " + s.equals("java.lang.Object@" + Integer.toHexString(o.hashCode())) + " " + o.equals(o) + " " + o.equals(new Object()));
        System.out.println("hello".hashCode() + " " + "".hashCode() + " " + new String("ab").equals("ab") + " " + (new String("ab") == "ab") + " " + (new String("ab").intern() == "ab"));
        int[] array = {3, 4};
        System.out.println(array.equals(array.clone()) + " " + array.clone()[1] + " " + array.toString().startsWith("[I@"));
    }
}
