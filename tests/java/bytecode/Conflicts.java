import java.lang.invoke.*;

/** Classes whose superinterfaces conflict, or have no implementation, as after separate compilation: calls, method handles and reflection. */
public class Conflicts {
    static final int ABSTRACT_INTERFACE = Asm.PUBLIC | Asm.INTERFACE | Asm.ABSTRACT;
    static final MethodType INT = MethodType.methodType(int.class);
    public static abstract class Base { public abstract int m(); public int call() { return m(); } }

    static Asm iface(String n, int result) {
        Asm a = new Asm(52, n, "java/lang/Object", ABSTRACT_INTERFACE);
        return result < 0 ? a.bare(Asm.PUBLIC | Asm.ABSTRACT, "m", "()I") : a.code(Asm.PUBLIC, "m", "()I", 1, 1).push(result).op(0xac).end();
    }
    static Asm cls(String n, String sup, String... is) {
        Asm a = new Asm(52, n, sup, Asm.PUBLIC | Asm.SUPER).init();
        for (String i : is) a.implement(i);
        return a;
    }
    static Throwable cause(Throwable t) {
        System.out.print(t.getClass().getSimpleName() + " of ");
        return t.getCause();
    }
    interface Body { Object run() throws Throwable; }
    static void show(String what, Body b) {
        System.out.print(what + ": ");
        try {
            System.out.println(b.run());
        } catch (Throwable t) {
            System.out.println(Asm.describe(t));
        }
    }
    public static void main(String[] args) throws Throwable {
        Asm.Loader l = new Asm.Loader().add(iface("I", 1), iface("J", 2), iface("N", -1),
            cls("Both", "java/lang/Object", "I", "J"), cls("Sub", "Both"), cls("Own", "Both").code(Asm.PUBLIC, "m", "()I", 1, 1).push(9).op(0xac).end(),
            cls("One", "java/lang/Object", "I"), cls("None", "java/lang/Object", "N"), cls("Mixed", "java/lang/Object", "N", "I"), cls("Lacks", "Conflicts$Base"));
        Asm u = new Asm(52, "U");
        for (String c : new String[] {"Both", "Sub", "Own", "One", "None", "Mixed"})
            u.code(Asm.STATIC, "virtual" + c, "()I", 2, 0).ref(0xbb, u.cls(c)).op(0x59).ref(0xb7, u.method(c, "<init>", "()V")).ref(0xb6, u.method(c, "m", "()I")).op(0xac).end();
        u.code(Asm.STATIC, "viaI", "(Ljava/lang/Object;)I", 1, 1).op(0x2a).ref(0xb9, u.imethod("I", "m", "()I")).op(1, 0, 0xac).end();
        l.add(u);
        MethodHandles.Lookup look = MethodHandles.publicLookup();
        for (String c : new String[] {"Both", "Sub", "Own", "One", "None", "Mixed"}) {
            Class<?> k = l.loadClass(c);
            Object o = k.getConstructor().newInstance();
            for (int i = 0; i < 2; i++) Asm.show(c + " virtual", l, "U", "virtual" + c);
            for (int i = 0; i < 2; i++) Asm.show(c + " interface", l, "U", "viaI", o);
            show(c + " handle", () -> look.findVirtual(k, "m", INT).invoke(o));
            show(c + " handle of I", () -> look.findVirtual(l.loadClass("I"), "m", INT).invoke(o));
            show(c + " reflection", () -> { try { return k.getMethod("m").invoke(o); } catch (java.lang.reflect.InvocationTargetException e) { throw cause(e); } });
            show(c + " reflection of I", () -> { try { return l.loadClass("I").getMethod("m").invoke(o); } catch (java.lang.reflect.InvocationTargetException e) { throw cause(e); } });
        }
        Base lacks = (Base) l.loadClass("Lacks").getConstructor().newInstance();
        show("Lacks", () -> lacks.call());
        show("Lacks reflection", () -> { try { return Base.class.getMethod("m").invoke(lacks); } catch (java.lang.reflect.InvocationTargetException e) { throw cause(e); } });
    }
}
