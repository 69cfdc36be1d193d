import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;

/** Since 21: core reflection by method handles. */
public class Reflection {
    public int field = 1;
    private static final long CONSTANT = 5;
    interface Api { default String hi(String s) { return "hi " + s; } int n(); }

    static int fails(int a) { throw new IllegalStateException("inside " + a); }
    private String text(int[] a, String... more) { return a.length + String.join(",", more); }
    static void where() {
        for (StackTraceElement e : new Throwable().getStackTrace()) System.out.println("  " + e.getMethodName() + " " + e.getModuleName());
    }
    @Deprecated(since = "1") static void old() {}

    public static void main(String[] args) throws Exception {
        Method text = Reflection.class.getDeclaredMethod("text", int[].class, String[].class);
        System.out.println(text.invoke(new Reflection(), new int[2], new String[] {"a", "b"}));
        Method fails = Reflection.class.getDeclaredMethod("fails", int.class);
        for (Object arg : new Object[] {3, "x", null, (byte) 4, 5L}) {
            try {
                System.out.println(fails.invoke(null, arg));
            } catch (InvocationTargetException e) {
                System.out.println(e.getCause());
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            fails.invoke(null);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            text.invoke(null, new int[0], new String[0]);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            text.invoke("no", new int[0], new String[0]);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Method where = Reflection.class.getDeclaredMethod("where");
        for (int i = 0; i < 2; i++) where.invoke(null);
        Field f = Reflection.class.getField("field");
        Reflection r = new Reflection();
        f.setInt(r, 9);
        System.out.println(f.get(r) + " " + f.getLong(r));
        try {
            f.set(r, "x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Field c = Reflection.class.getDeclaredField("CONSTANT");
        try {
            c.setLong(null, 6);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        Constructor<?> k = ArrayList.class.getConstructor(int.class);
        System.out.println(k.newInstance(3));
        try {
            k.newInstance(-1);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        Api api = (Api) Proxy.newProxyInstance(Reflection.class.getClassLoader(), new Class<?>[] {Api.class}, (p, m, a) ->
            m.isDefault() ? InvocationHandler.invokeDefault(p, m, a) : (Object) 7);
        System.out.println(api.hi("x") + api.n());
        Method old = Reflection.class.getDeclaredMethod("old");
        System.out.println(Arrays.toString(old.getAnnotations()));
        VarHandle v = MethodHandles.lookup().findVarHandle(Reflection.class, "field", int.class);
        System.out.println(v.compareAndSet(r, 9, 10) + " " + (int) v.getAndAdd(r, 5) + " " + r.field);
        record P(int a, List<String> b) {}
        for (RecordComponent rc : P.class.getRecordComponents()) System.out.println(rc.getName() + " " + rc.getGenericType());
        System.out.println(Modifier.toString(Reflection.class.getModifiers()) + " " + int[].class.getModifiers() + " " + int.class.getModifiers()
            + " " + Api.class.getModifiers() + " " + Map.Entry.class.getModifiers());
    }
}
