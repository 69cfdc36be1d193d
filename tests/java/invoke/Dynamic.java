import java.lang.invoke.*;
import java.util.*;

/** Records' ObjectMethods bootstrap, ConstantBootstraps, StringConcatFactory and call sites used directly. */
public class Dynamic {
    record P(int x, String s) { }

    static int bumps;
    static int bump() { return ++bumps; }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        System.out.println(ConstantBootstraps.nullConstant(l, "n", String.class) + " " + ConstantBootstraps.primitiveClass(l, "J", Class.class) + " " + ConstantBootstraps.enumConstant(l, "RUNNABLE", Thread.State.class));
        System.out.println(ConstantBootstraps.getStaticFinal(l, "MAX_VALUE", int.class, Integer.class) + " " + ConstantBootstraps.invoke(l, "i", int.class, l.findStatic(Dynamic.class, "bump", MethodType.methodType(int.class))) + " " + ConstantBootstraps.explicitCast(l, "c", long.class, 7));
        try {
            ConstantBootstraps.getStaticFinal(l, "bumps", int.class, Dynamic.class);
        } catch (IncompatibleClassChangeError e) {
            System.out.println(e.getClass().getSimpleName());
        }
        CallSite cs = StringConcatFactory.makeConcatWithConstants(l, "c", MethodType.methodType(String.class, int.class, Object.class, char.class), "<\1|\1|\2\1>", "const");
        System.out.println((String) cs.getTarget().invokeExact(5, (Object) List.of(1), 'z'));
        CallSite plain = StringConcatFactory.makeConcat(l, "c", MethodType.methodType(String.class, String.class, double.class, boolean.class));
        System.out.println((String) plain.getTarget().invokeExact("s", 1.5, true));
        try {
            StringConcatFactory.makeConcatWithConstants(l, "c", MethodType.methodType(String.class, int.class), "\1\1");
        } catch (StringConcatException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle gx = l.findVirtual(P.class, "x", MethodType.methodType(int.class)), gs = l.findVirtual(P.class, "s", MethodType.methodType(String.class));
        CallSite ts = (CallSite) java.lang.runtime.ObjectMethods.bootstrap(l, "toString", MethodType.methodType(String.class, P.class), P.class, "a;b", gx, gs);
        CallSite eq = (CallSite) java.lang.runtime.ObjectMethods.bootstrap(l, "equals", MethodType.methodType(boolean.class, P.class, Object.class), P.class, "x", gx);
        CallSite hc = (CallSite) java.lang.runtime.ObjectMethods.bootstrap(l, "hashCode", MethodType.methodType(int.class, P.class), P.class, "x;s", gx, gs);
        P p = new P(3, "t");
        System.out.println((String) ts.getTarget().invokeExact(p) + " " + (boolean) eq.getTarget().invokeExact(p, (Object) new P(3, "other")) + " " + ((int) hc.getTarget().invokeExact(p) == p.hashCode()));
        ConstantCallSite constant = new ConstantCallSite(l.findStatic(Dynamic.class, "bump", MethodType.methodType(int.class)));
        VolatileCallSite vol = new VolatileCallSite(constant.getTarget());
        System.out.println((int) constant.dynamicInvoker().invokeExact() + " " + (int) vol.dynamicInvoker().invokeExact());
        vol.setTarget(MethodHandles.constant(int.class, -1));
        System.out.println((int) vol.dynamicInvoker().invokeExact() + " " + vol.type());
        try {
            constant.setTarget(vol.getTarget());
        } catch (UnsupportedOperationException e) {
            System.out.println("constant site");
        }
        try {
            vol.setTarget(MethodHandles.constant(long.class, 1L));
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        CallSite incrementing = new MutableCallSite(MethodType.methodType(int.class, int.class));
        try {
            int r = (int) incrementing.getTarget().invokeExact(1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        ClassValue<String> cv = new ClassValue<>() {
            protected String computeValue(Class<?> c) { return c.getSimpleName() + bump(); }
        };
        System.out.println(cv.get(String.class) + cv.get(String.class) + cv.get(int.class));
        cv.remove(String.class);
        System.out.println(cv.get(String.class));
    }
}
