import java.io.InputStream;
import java.lang.invoke.*;
import java.util.*;

/** Hidden classes as callers: lookups, resources, stack walks, stack traces and class data are theirs. */
public class HiddenCallers {
    static class Caller {
        static Class<?> lookup() { return MethodHandles.lookup().lookupClass(); }
        static Class<?> walker() { return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(s -> s.findFirst().get().getDeclaringClass()); }
        static StackTraceElement[] trace() { return new Throwable().getStackTrace(); }
        static Object data() throws Throwable { return MethodHandles.classDataAt(MethodHandles.lookup(), "_", Object.class, 1); }
        static void nothing() { String s = null; s.length(); }
    }

    static class Uses implements Runnable {
        private int count;
        public void run() { count++; count++; System.out.println("count " + count + " " + getClass().isHidden()); }
    }

    static byte[] bytes(String name) throws Exception {
        try (InputStream in = HiddenCallers.class.getResourceAsStream(name + ".class")) { return in.readAllBytes(); }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup own = MethodHandles.lookup();
        MethodHandles.Lookup hidden = own.defineHiddenClassWithClassData(bytes("HiddenCallers$Caller"), List.of("zero", "one"), true);
        Class<?> c = hidden.lookupClass();
        System.out.println(hidden.findStatic(c, "lookup", MethodType.methodType(Class.class)).invoke() == c);
        try {
            Class<?> first = (Class<?>) hidden.findStatic(c, "walker", MethodType.methodType(Class.class)).invoke();
            System.out.println(first == c);
        } catch (Throwable t) {
            System.out.println(t.getClass());
        }
        StackTraceElement[] trace = (StackTraceElement[]) hidden.findStatic(c, "trace", MethodType.methodType(StackTraceElement[].class)).invoke();
        System.out.println(trace.length + " " + trace[0]);
        System.out.println(hidden.findStatic(c, "data", MethodType.methodType(Object.class)).invoke());
        try {
            hidden.findStatic(c, "nothing", MethodType.methodType(void.class)).invoke();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0]);
        }
        Class<?> u = own.defineHiddenClass(bytes("HiddenCallers$Uses"), true, MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass();
        var make = u.getDeclaredConstructor();
        make.setAccessible(true);
        ((Runnable) make.newInstance()).run();
    }
}
