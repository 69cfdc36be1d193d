import java.lang.invoke.*;
import java.util.*;
import java.util.function.*;

/** Method handles of methods that a class inherits from an interface: the receiver's class selects, as at a call. */
public class InheritedHandles {
    interface I { default int m() { return 1; } }
    static class B implements I {}
    static class C extends B { public int m() { return 2; } }
    static abstract class A extends B { public abstract int m(); }
    static class D extends A { public int m() { return 7; } }
    interface J { int m(); }
    static abstract class E implements J {}
    static class F extends E { public int m() { return 4; } }
    interface K extends I {}
    static class G implements K { public int m() { return 5; } }
    static class H extends B {
        public int m() { return 6; }
        int sup() throws Throwable { return (int) MethodHandles.lookup().findSpecial(B.class, "m", INT, H.class).invoke(this); }
        int bound() throws Throwable { return (int) MethodHandles.lookup().bind(this, "m", INT).invoke(); }
    }
    static class M extends AbstractMap<String, String> {
        public Set<Entry<String, String>> entrySet() { return Set.of(); }
        public String getOrDefault(Object k, String d) { return "overridden"; }
    }
    static final MethodType INT = MethodType.methodType(int.class);
    interface Body { Object run() throws Throwable; }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " " + b.run());
        } catch (Throwable t) {
            System.out.println(what + " -> " + t);
        }
    }
    public static void main(String[] args) throws Throwable {
        var l = MethodHandles.lookup();
        B b = new C();
        show("call", () -> b.m());
        show("findVirtual, exact", () -> (int) l.findVirtual(B.class, "m", INT).invokeExact(b));
        show("unreflect", () -> (int) l.unreflect(B.class.getMethod("m")).invoke(b));
        show("B::m", () -> { ToIntFunction<B> f = B::m; return f.applyAsInt(b); });
        show("reflection", () -> B.class.getMethod("m").invoke(b));
        MethodHandle h = l.findVirtual(B.class, "m", INT);
        for (B x : new B[] {new B(), new C(), new D(), new H(), new B()}) {
            show(x.getClass().getSimpleName(), () -> (int) h.invoke(x));
            show("  asType", () -> (int) h.asType(MethodType.methodType(int.class, Object.class)).invoke((Object) x));
            show("  withArguments", () -> h.invokeWithArguments(x));
        }
        show("revealed", () -> l.revealDirect(h));
        show("abstract", () -> (int) l.findVirtual(E.class, "m", INT).invoke((E) new F()));
        show("inherited by an interface", () -> (int) l.findVirtual(K.class, "m", INT).invoke((K) new G()));
        show("interface", () -> (int) l.findVirtual(I.class, "m", INT).invoke((I) new H()));
        show("findSpecial", () -> new H().sup());
        show("bind", () -> new H().bound());
        show("size", () -> (int) l.findVirtual(AbstractList.class, "size", INT).invoke((AbstractList<?>) new ArrayList<>(List.of(1, 2))));
        show("getOrDefault", () -> l.findVirtual(AbstractMap.class, "getOrDefault", MethodType.genericMethodType(2)).invoke((AbstractMap<?, ?>) new M(), (Object) "k", (Object) "default"));
        show("null", () -> (int) h.invoke((B) null));
    }
}
