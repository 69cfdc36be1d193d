import java.lang.invoke.*;
import static java.lang.invoke.MethodType.methodType;

/** Method handles: find*, invokeExact and invoke, asType, bindTo, spreading and collecting, exceptions. */
public class MethodHandles1 {
    static int add(int a, int b) { return a + b; }
    static long mix(long a, int b, double c, String s) { return a + b + (long) c + s.length(); }
    static String va(String s, Object... os) { return s + os.length; }
    private int secret = 5;
    private static String hidden = "h";
    int times(int x) { return secret * x; }
    private String priv(String s) { return s + secret; }
    MethodHandles1() { }
    MethodHandles1(int s) { secret = s; }
    static class Sub extends MethodHandles1 {
        int times(int x) { return -x; }
        static MethodHandle superTimes() throws Exception { return MethodHandles.lookup().findSpecial(MethodHandles1.class, "times", methodType(int.class, int.class), Sub.class); }
    }
    static void thrower(int n) throws Exception { throw new Exception("thrown " + n); }
    interface Face { default String d() { return "default"; } String m(); }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle add = l.findStatic(MethodHandles1.class, "add", methodType(int.class, int.class, int.class));
        System.out.println((int) add.invokeExact(3, 4) + " " + (long) add.invoke((short) 3, 'a') + " " + add.invoke(5, Integer.valueOf(6)) + " " + add.type());
        MethodHandle mix = l.findStatic(MethodHandles1.class, "mix", methodType(long.class, long.class, int.class, double.class, String.class));
        System.out.println((long) mix.invokeExact(1L << 40, 2, 3.9, "four") + " " + mix.invokeWithArguments(1, (byte) 2, 3f, "x"));
        MethodHandle times = l.findVirtual(MethodHandles1.class, "times", methodType(int.class, int.class));
        MethodHandles1 o = new MethodHandles1(7), sub = new Sub();
        System.out.println((int) times.invokeExact(o, 3) + " " + (int) times.invokeExact(sub, 3) + " " + (int) times.bindTo(o).invokeExact(4) + " " + (int) Sub.superTimes().invoke(sub, 3));
        MethodHandle priv = l.findVirtual(MethodHandles1.class, "priv", methodType(String.class, String.class));
        System.out.println((String) priv.invoke(o, "p"));
        MethodHandle ctor = l.findConstructor(MethodHandles1.class, methodType(void.class, int.class));
        System.out.println(((MethodHandles1) ctor.invokeExact(9)).secret + " " + ctor.type());
        MethodHandle get = l.findGetter(MethodHandles1.class, "secret", int.class), set = l.findSetter(MethodHandles1.class, "secret", int.class);
        set.invokeExact(o, 70);
        System.out.println((int) get.invokeExact(o) + " " + l.findStaticGetter(MethodHandles1.class, "hidden", String.class).invoke());
        l.findStaticSetter(MethodHandles1.class, "hidden", String.class).invoke("changed");
        System.out.println(hidden);
        MethodHandle va = l.findStatic(MethodHandles1.class, "va", methodType(String.class, String.class, Object[].class));
        System.out.println(va.isVarargsCollector() + " " + va.invoke("v") + va.invoke("v", 1, "x") + va.invoke("v", new Object[3]) + va.asFixedArity().invoke("f", new Object[] {1}) + va.asCollector(Object[].class, 2).invoke("c", 1, 2));
        MethodHandle spread = add.asSpreader(Object[].class, 2);
        System.out.println((int) spread.invoke(new Object[] {20, 22}) + " " + spread.type() + " " + add.asSpreader(int[].class, 2).invoke(new int[] {1, 2}));
        MethodHandle len = l.findVirtual(String.class, "length", methodType(int.class));
        MethodHandle generic = len.asType(methodType(Object.class, Object.class));
        System.out.println(generic.invokeExact((Object) "five5").equals(6) ? "six" : generic.invoke("five5"));
        try { generic.invoke(5); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
        try { int wrong = (int) add.invokeExact(1L, 2); } catch (WrongMethodTypeException e) { System.out.println(e.getMessage()); }
        try { add.invoke("x", 1); } catch (WrongMethodTypeException e) { System.out.println(e.getMessage()); }
        try { add.invokeWithArguments(1); } catch (WrongMethodTypeException e) { System.out.println(e.getMessage()); }
        try { l.findStatic(MethodHandles1.class, "thrower", methodType(void.class, int.class)).invoke(3); } catch (Exception e) { System.out.println(e); }
        try { l.findVirtual(String.class, "nothing", methodType(int.class)); } catch (NoSuchMethodException e) { System.out.println(e.getMessage()); }
        try { l.findStatic(MethodHandles1.class, "times", methodType(int.class, int.class)); } catch (IllegalAccessException e) { System.out.println(e.getMessage()); }
        try { MethodHandles.publicLookup().findVirtual(MethodHandles1.class, "priv", methodType(String.class, String.class)); } catch (IllegalAccessException e) { System.out.println("private"); }
        try { times.invoke((MethodHandles1) null, 1); } catch (NullPointerException e) { System.out.println("null receiver"); }
        Face f = () -> "lambda";
        MethodHandle d = l.findVirtual(Face.class, "d", methodType(String.class)), m = l.findVirtual(Face.class, "m", methodType(String.class));
        System.out.println((String) d.invokeExact(f) + (String) m.invokeExact(f) + l.findVirtual(Object.class, "hashCode", methodType(int.class)).invoke("a"));
        System.out.println(l.unreflect(MethodHandles1.class.getDeclaredMethod("add", int.class, int.class)).invoke(40, 2) + " " + l.revealDirect(add).getName() + " " + MethodHandleProxies.asInterfaceInstance(java.util.function.IntBinaryOperator.class, add).applyAsInt(5, 6));
        MethodHandle wide = l.bind(o, "times", methodType(int.class, int.class)).asType(methodType(double.class, byte.class));
        System.out.println((double) wide.invokeExact((byte) 2));
    }
}
