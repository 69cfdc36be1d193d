import java.lang.invoke.*;
import java.lang.reflect.Method;

/** Handles of caller-sensitive methods, which are bound to an invoker injected beside the look-up class. */
public class BoundCaller {
    static String greet(String name) { return "hello " + name; }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle invoke = lookup.findVirtual(Method.class, "invoke", MethodType.methodType(Object.class, Object.class, Object[].class));
        Method greet = BoundCaller.class.getDeclaredMethod("greet", String.class);
        System.out.println(invoke.invoke(greet, null, new Object[] {"handle"}));
        Method reflected = Method.class.getMethod("invoke", Object.class, Object[].class);
        System.out.println(reflected.invoke(greet, null, new Object[] {"reflection"}));
        MethodHandle forName = lookup.findStatic(Class.class, "forName", MethodType.methodType(Class.class, String.class));
        System.out.println(((Class<?>) forName.invokeExact("BoundCaller")).getName());
        MethodHandle loader = lookup.findVirtual(Class.class, "getClassLoader", MethodType.methodType(ClassLoader.class));
        System.out.println((ClassLoader) loader.invokeExact((Class<?>) BoundCaller.class) == BoundCaller.class.getClassLoader());
        // often enough for a generated accessor
        int n = 0;
        for (int i = 0; i < 40; i++) n += ((String) greet.invoke(null, "x" + i)).length();
        System.out.println(n);
    }
}
