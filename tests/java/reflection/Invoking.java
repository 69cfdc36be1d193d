import java.lang.reflect.*;

/** Method.invoke, Constructor.newInstance, Field.get and set: conversions, wrapped exceptions, wrong uses, access checks. */
public class Invoking {
    public int pub = 1;
    private static long stat = 2;
    final int fin = 3;
    static final String CONST = "const";
    byte b = 4;
    char c = 'c';
    boolean z;
    double d = 1.5;
    private Object o = "obj";

    public Invoking() { }
    private Invoking(int p, String s) { pub = p + s.length(); }
    public static int add(int a, long b) { return (int) (a + b); }
    private String priv(Object... os) { return "priv" + os.length; }
    public void boom(String s) throws Exception { throw new java.io.IOException(s); }
    public static void nothing() { }
    public char next(char c) { return (char) (c + 1); }
    double wide(float f, double d) { return f + d; }
    static class Sub extends Invoking { public char next(char c) { return (char) (c + 2); } }
    static abstract class Abs { Abs() { } }
    static class Fails { Fails() { throw new IllegalStateException("constructor"); } }

    interface Body { Object run() throws Throwable; }
    static void show(String what, Body body) {
        try {
            System.out.println(what + " = " + body.run());
        } catch (InvocationTargetException e) {
            System.out.println(what + " -> target " + e.getCause() + " " + e.getMessage());
        } catch (Throwable t) {
            System.out.println(what + " -> " + t.getClass().getName() + ": " + (t.getMessage() == null ? null : t.getMessage().replaceAll("@.*", "")));
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> k = Invoking.class;
        Invoking i = new Invoking();
        Method add = k.getMethod("add", int.class, long.class), priv = k.getDeclaredMethod("priv", Object[].class), boom = k.getMethod("boom", String.class), next = k.getMethod("next", char.class), wide = k.getDeclaredMethod("wide", float.class, double.class);
        show("static", () -> add.invoke(null, 1, 2L));
        show("widening", () -> add.invoke("ignored", (short) 1, 'a'));
        show("narrowing", () -> add.invoke(null, 1L, 2L));
        show("float", () -> wide.invoke(i, 5L, 2.5f));
        show("null for int", () -> add.invoke(null, null, 2L));
        show("too few", () -> add.invoke(null, 1));
        show("no array", () -> add.invoke(null));
        show("varargs", () -> priv.invoke(i, (Object) new Object[] {1, 2}));
        show("throws", () -> boom.invoke(i, "io"));
        show("null receiver", () -> next.invoke(null, 'a'));
        show("wrong receiver", () -> next.invoke("s", 'a'));
        show("virtual", () -> next.invoke(new Sub(), 'a'));
        show("void", () -> k.getMethod("nothing").invoke(null));
        show("wrong type", () -> boom.invoke(i, 5));
        Constructor<?> ctor = k.getDeclaredConstructor(int.class, String.class);
        show("constructor", () -> ((Invoking) ctor.newInstance(5, "four")).pub);
        show("abstract", () -> Abs.class.getDeclaredConstructor().newInstance());
        show("failing", () -> Fails.class.getDeclaredConstructor().newInstance());
        show("enum", () -> { Constructor<?> e = Thread.State.class.getDeclaredConstructors()[0]; e.setAccessible(true); return e; });
        show("missing", () -> String.class.getDeclaredConstructor(Thread.class));
        Field pub = k.getField("pub"), st = k.getDeclaredField("stat"), fin = k.getDeclaredField("fin"), con = k.getDeclaredField("CONST"), fb = k.getDeclaredField("b"), fo = k.getDeclaredField("o"), fz = k.getDeclaredField("z"), fd = k.getDeclaredField("d"), fc = k.getDeclaredField("c");
        show("get", () -> pub.get(i) + " " + pub.getLong(i) + " " + pub.getDouble(i));
        show("set", () -> { pub.set(i, (byte) 9); pub.setShort(i, (short) 11); return i.pub; });
        show("static", () -> { st.setInt(null, 70); return st.get(null) + " " + st.getFloat("x"); });
        show("byte", () -> { fb.set(i, 300); return i.b; });
        show("byte", () -> { fb.setByte(i, (byte) 200); return i.b; });
        show("char", () -> fc.getInt(i));
        show("char to short", () -> fc.getShort(i));
        show("double", () -> { fd.set(i, 'c'); return i.d; });
        show("boolean", () -> { fz.set(i, 1); return i.z; });
        show("object", () -> { fo.set(i, null); return i.o; });
        show("unbox", () -> fo.getInt(i));
        show("final", () -> { fin.set(i, 5); return i.fin; });
        show("final accessible", () -> { fin.setAccessible(true); fin.set(i, 5); return fin.get(i); });
        show("static final", () -> { con.setAccessible(true); con.set(null, "x"); return CONST; });
        show("null object", () -> pub.get(null));
        show("wrong object", () -> pub.get("s"));
        show("string value", () -> String.class.getDeclaredField("value").get("s"));
        show("accessible", () -> { String.class.getDeclaredField("value").setAccessible(true); return 0; });
        show("trySetAccessible", () -> String.class.getDeclaredField("hash").trySetAccessible() + " " + k.getDeclaredField("o").trySetAccessible());
        int sum = 0;
        for (int n = 0; n < 50; n++) sum += (Integer) add.invoke(null, n, 1L) + (Character) next.invoke(i, 'a');
        System.out.println(sum + " " + Array.get(new int[] {1, 2}, 1) + " " + Array.getLength(new long[3]));
    }
}
