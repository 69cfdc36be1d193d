import java.lang.invoke.*;
import java.util.*;
import static java.lang.invoke.MethodHandles.*;
import static java.lang.invoke.MethodType.methodType;

/** Combinators of method handles: guards, filters, folds, loops, try/finally, permutation, switch by table. */
public class Combinators {
    static int add(int a, int b) { return a + b; }
    static int twice(int a) { return 2 * a; }
    static boolean odd(int a) { return (a & 1) != 0; }
    static int half(int a) { if (a < 0) throw new IllegalArgumentException("negative " + a); return a / 2; }
    static int recover(IllegalArgumentException e, int a) { return -a + e.getMessage().length(); }
    static int cleanup(Throwable t, int result, int a) { log.append(t == null ? "ok" : t.getMessage()).append(' '); return result + 1000; }
    static StringBuilder log = new StringBuilder();
    static String join(String a, String b, String c) { return a + "-" + b + "-" + c; }
    static MethodHandle st(String name, Class<?> r, Class<?>... ps) throws Exception { return lookup().findStatic(Combinators.class, name, methodType(r, ps)); }

    public static void main(String[] args) throws Throwable {
        MethodHandle add = st("add", int.class, int.class, int.class), twice = st("twice", int.class, int.class), odd = st("odd", boolean.class, int.class), half = st("half", int.class, int.class);
        MethodHandle collatz = guardWithTest(odd, filterReturnValue(insertArguments(add, 0, 1), twice), half);
        System.out.println((int) collatz.invokeExact(7) + " " + (int) collatz.invokeExact(10));
        System.out.println((int) filterArguments(add, 0, twice, twice).invokeExact(3, 4) + " " + (int) foldArguments(add, twice).invokeExact(5) + " " + (int) collectArguments(add, 1, add).invokeExact(1, 2, 3));
        MethodHandle safe = catchException(half, IllegalArgumentException.class, st("recover", int.class, IllegalArgumentException.class, int.class));
        System.out.println((int) safe.invokeExact(8) + " " + (int) safe.invokeExact(-8));
        MethodHandle fin = tryFinally(half, st("cleanup", int.class, Throwable.class, int.class, int.class));
        System.out.println((int) fin.invokeExact(6));
        try { int r = (int) fin.invokeExact(-6); } catch (IllegalArgumentException e) { System.out.println(log); }
        MethodHandle join = st("join", String.class, String.class, String.class, String.class);
        System.out.println((String) permuteArguments(join, join.type(), 2, 0, 1).invokeExact("a", "b", "c") + " " + (String) permuteArguments(join, methodType(String.class, String.class), 0, 0, 0).invokeExact("x") + " " + (String) dropArguments(insertArguments(join, 1, "m"), 0, long.class, Object.class).invokeExact(1L, (Object) "d", "s", "e"));
        MethodHandle sum = countedLoop(constant(int.class, 10), constant(int.class, 0), add);
        System.out.println((int) sum.invokeExact());
        MethodHandle append = lookup().findVirtual(StringBuilder.class, "append", methodType(StringBuilder.class, String.class));
        MethodHandle whileLoop = whileLoop(constant(int.class, 1), lookup().findStatic(Combinators.class, "small", methodType(boolean.class, int.class)), twice);
        System.out.println((int) whileLoop.invokeExact());
        MethodHandle iter = iteratedLoop(null, constant(String.class, ""), lookup().findVirtual(String.class, "concat", methodType(String.class, String.class)).asType(methodType(String.class, String.class, Object.class)).asType(methodType(String.class, String.class, String.class)));
        System.out.println((String) iter.invoke(List.of("p", "q", "r")));
        MethodHandle table = tableSwitch(dropArguments(constant(String.class, "default"), 0, int.class), dropArguments(constant(String.class, "zero"), 0, int.class), dropArguments(constant(String.class, "one"), 0, int.class));
        System.out.println((String) table.invokeExact(0) + (String) table.invokeExact(1) + (String) table.invokeExact(9));
        System.out.println(identity(String.class).invoke("id") + " " + (long) zero(long.class).invokeExact() + " " + empty(methodType(Object.class, int.class)).invoke(1) + " " + constant(char.class, 'k').invoke());
        MethodHandle get = arrayElementGetter(int[].class), set = arrayElementSetter(String[].class), len = arrayLength(double[].class), make = arrayConstructor(int[][].class);
        String[] strings = new String[2];
        set.invokeExact(strings, 1, "stored");
        System.out.println((int) get.invokeExact(new int[] {5, 6}, 1) + strings[1] + (int) len.invokeExact(new double[4]) + ((int[][]) make.invokeExact(3)).length);
        try { int bad = (int) get.invokeExact(new int[1], 1); } catch (ArrayIndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        MethodHandle thrower = throwException(int.class, IllegalStateException.class);
        try { int bad = (int) thrower.invokeExact(new IllegalStateException("by handle")); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        MethodHandle spreadInvoker = spreadInvoker(add.type(), 0), exact = exactInvoker(add.type());
        System.out.println(spreadInvoker.invoke(add, new Object[] {1, 2}) + " " + (int) exact.invokeExact(add, 3, 4));
        System.out.println(explicitCastArguments(identity(int.class), methodType(byte.class, double.class)).invoke(300.7) + " " + explicitCastArguments(identity(Object.class), methodType(int.class, Object.class)).invoke((Object) null));
        MutableCallSite site = new MutableCallSite(twice);
        MethodHandle dyn = site.dynamicInvoker();
        int first = (int) dyn.invokeExact(21);
        site.setTarget(half);
        System.out.println(first + " " + (int) dyn.invokeExact(21));
        SwitchPoint sp = new SwitchPoint();
        MethodHandle sw = sp.guardWithTest(twice, half);
        int before = (int) sw.invokeExact(10);
        SwitchPoint.invalidateAll(new SwitchPoint[] {sp});
        System.out.println(before + " " + (int) sw.invokeExact(10) + " " + sp.hasBeenInvalidated());
    }

    static boolean small(int a) { return a < 100; }
}
