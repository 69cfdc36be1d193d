import java.lang.reflect.*;
import java.util.*;

/** Dynamic proxies: dispatch, boxing, Object's methods, checked exceptions, default methods, identity of proxy classes. */
public class Proxies {
    interface Calc { int add(int a, long b); boolean not(boolean z); double half(float f); char up(char c); void run(); String[] words(int[] is); default String hello(String n) { return "hello " + n + add(1, 1); } }
    interface Risky { void risk() throws java.io.IOException; Object get() throws CloneNotSupportedException; }
    interface Generic<T> { T id(T t); }
    interface Same { String hello(String n); }

    static class Logger implements InvocationHandler {
        final List<String> log = new ArrayList<>();
        public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
            log.add(m.getDeclaringClass().getSimpleName() + "." + m.getName() + Arrays.toString(args == null ? null : args.length > 0 && args[0] instanceof int[] is ? new Object[] {is.length} : args.length > 0 && Proxy.isProxyClass(args[0] == null ? String.class : args[0].getClass()) ? new Object[] {"proxy"} : args));
            return switch (m.getName()) {
                case "add" -> (Integer) args[0] + ((Long) args[1]).intValue();
                case "not" -> !(Boolean) args[0];
                case "half" -> (Float) args[0] / 2.0;
                case "up" -> Character.toUpperCase((Character) args[0]);
                case "words" -> new String[] {"n" + ((int[]) args[0]).length};
                case "toString" -> "proxy!";
                case "hashCode" -> 77;
                case "equals" -> args[0] == proxy;
                case "hello" -> m.isDefault() ? InvocationHandler.invokeDefault(proxy, m, args) : "handled";
                default -> null;
            };
        }
    }

    static <T> T make(InvocationHandler h, Class<?>... faces) {
        @SuppressWarnings("unchecked") T t = (T) Proxy.newProxyInstance(Proxies.class.getClassLoader(), faces, h);
        return t;
    }

    public static void main(String[] args) throws Exception {
        Logger log = new Logger();
        Calc c = make(log, Calc.class);
        System.out.println(c.add(2, 3L) + " " + c.not(true) + " " + c.half(5f) + " " + c.up('q') + " " + c.words(new int[3])[0] + " " + c.hello("you"));
        c.run();
        System.out.println(c + " " + c.hashCode() + " " + c.equals(c) + " " + c.equals("x") + " " + c.equals(null));
        for (String s : log.log) System.out.println("  " + s);
        Class<?> k = c.getClass();
        System.out.println(Proxy.isProxyClass(k) + " " + (Proxy.getInvocationHandler(c) == log) + " " + k.getSuperclass() + " " + Arrays.toString(k.getInterfaces()) + " " + Modifier.toString(k.getModifiers()) + " " + (k == make(new Logger(), Calc.class).getClass()));
        Object both = make(log, Calc.class, Generic.class, Comparable.class);
        System.out.println((both instanceof Calc) + " " + (both instanceof Generic) + " " + (both.getClass() == k));
        for (Throwable t : new Throwable[] {new java.io.IOException("declared"), new IllegalStateException("unchecked"), new Exception("undeclared"), new Error("error")}) {
            Risky r = make((p, m, as) -> { throw t; }, Risky.class);
            try {
                r.risk();
            } catch (UndeclaredThrowableException e) {
                System.out.println("undeclared " + e.getCause());
            } catch (Throwable e) {
                System.out.println(e + " " + (e == t));
            }
        }
        Calc bad = make((p, m, as) -> m.getReturnType() == int.class ? null : "text", Calc.class);
        try { bad.add(1, 1); } catch (NullPointerException e) { System.out.println("null for int"); }
        try { bad.not(true); } catch (ClassCastException e) { System.out.println(e.getMessage().split(" \\(")[0]); }
        bad.run();
        for (Class<?>[] faces : new Class<?>[][] {{String.class}, {Calc.class, Calc.class}, {int.class}}) {
            try {
                make(log, faces);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        @SuppressWarnings("unchecked") Generic<String> g = make((p, m, as) -> as[0] + "" + m.getParameterTypes()[0].getSimpleName(), Generic.class);
        System.out.println(g.id("x"));
        Calc first = make((p, m, as) -> m.getDeclaringClass().getSimpleName(), Same.class, Calc.class);
        System.out.println(first.hello(""));
        try { Proxy.getInvocationHandler("x"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        int total = 0;
        for (int i = 0; i < 200; i++) total += c.add(i, i);
        System.out.println(total);
    }
}
