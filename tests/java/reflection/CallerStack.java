import java.util.*;
import java.util.stream.*;

/** StackWalker, the caller class, Thread.getStackTrace, frames of lambdas and reflection filtered or shown. */
public class CallerStack {
    static String names(Stream<StackWalker.StackFrame> s) {
        return s.filter(f -> f.getClassName().startsWith("CallerStack")).map(f -> f.getMethodName().replaceAll("lambda.*", "lambda") + ":" + f.getLineNumber()).collect(Collectors.joining(" "));
    }

    static class A {
        static Class<?> who() { return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass(); }
        static Class<?> via() { return B.ask(); }
    }
    static class B { static Class<?> ask() { return A.who(); } }

    static String deep(int n) {
        if (n == 0) return names(StackWalker.getInstance().walk(s -> s.collect(Collectors.toList())).stream());
        return deep(n - 1);
    }

    static int count(int n) {
        return n == 0 ? StackWalker.getInstance().walk(s -> (int) s.filter(f -> f.getMethodName().equals("count")).count()) : count(n - 1);
    }

    interface Face { default Class<?> caller() { return A.who(); } }

    public static void main(String[] args) throws Exception {
        System.out.println(A.who().getSimpleName() + " " + A.via().getSimpleName() + " " + B.ask().getSimpleName() + " " + new Face() { }.caller().getSimpleName());
        System.out.println(deep(3));
        System.out.println(count(200));
        StackWalker w = StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_REFLECT_FRAMES));
        System.out.println("" + w.walk(s -> s.limit(2).map(f -> f.getDeclaringClass().getSimpleName() + f.getMethodType() + f.getDescriptor() + f.isNativeMethod()).collect(Collectors.toList())));
        Optional<StackWalker.StackFrame> first = w.walk(Stream::findFirst);
        System.out.println(first.get() + " " + first.get().toStackTraceElement() + " " + (first.get().getByteCodeIndex() >= 0));
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        StackTraceElement[] mine = Thread.currentThread().getStackTrace();
        System.out.println(mine[0].getMethodName() + " " + mine[1] + " " + mine.length);
        System.out.println(CallerStack.class.getDeclaredMethod("deep", int.class).invoke(null, 1));
        Supplierish s = () -> deep(0);
        System.out.println(s.get());
        System.out.println(Stream.of(1).map(x -> deep(0)).findFirst().get());
        Thread t = new Thread(() -> System.out.println(deep(1)), "t");
        t.start();
        t.join();
        System.out.println(t.getStackTrace().length);
        boolean[] hasReflect = new boolean[2];
        CallerStack.class.getDeclaredMethod("frames", boolean[].class).invoke(null, (Object) hasReflect);
        System.out.println(hasReflect[0] + " " + hasReflect[1]);
    }

    interface Supplierish { String get(); }

    static void frames(boolean[] r) {
        r[0] = StackWalker.getInstance().walk(s -> s.anyMatch(f -> f.getClassName().contains("reflect")));
        r[1] = StackWalker.getInstance(StackWalker.Option.SHOW_REFLECT_FRAMES).walk(s -> s.anyMatch(f -> f.getClassName().contains("reflect")));
    }
}
