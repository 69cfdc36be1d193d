import java.io.*;


/** What loaders and reflection say of odd classes: packages of the JDK, the module flag, superclasses and nest hosts out of reach, missing types, debugging tables. */
public class Definitions {
    static class L extends Asm.Loader {
        Class<?> define(String n, byte[] b) { return defineClass(n, b, 0, b.length); }
        @Override protected Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            if (n.equals("Definitions$Hidden")) throw new ClassNotFoundException("not here: " + n);
            return super.loadClass(n, resolve);
        }
    }
    interface Body { Object run() throws Throwable; }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (Throwable t) {
            System.out.println(what + " -> " + Asm.describe(t));
        }
    }
    static abstract class Abstract {}
    static class Plain {}
    interface Narrow {}
    static class Fails implements Serializable { static { if (true) throw new RuntimeException("blargh"); } }
    static class Prints implements Serializable { static { System.out.println("initialized"); } }
    static class Without extends Prints {}

    public static void main(String[] args) throws Throwable {
        for (String n : new String[] {"java/Foo", "java/lang/Foo", "java/util/Foo", "javax/Foo", "javafoo/X"})
            for (String given : new String[] {n.replace('/', '.'), null})
                show(n + " as " + given, () -> new L().define(given, new Asm(52, n).build()));
        for (int v : new int[] {49, 52, 53, 61}) show("module flag " + v, () -> new L().define(null, new Asm(v, "M" + v, "java/lang/Object", 0x8000 | Asm.INTERFACE | Asm.ABSTRACT).build()));
        show("abstract superclass", () -> new L().define(null, new Asm(52, "S1", "Definitions$Abstract", Asm.SUPER).build()));
        show("superclass", () -> new L().define(null, new Asm(52, "S2", "Definitions$Plain", Asm.SUPER).build()));
        show("superinterface", () -> new L().define(null, new Asm(52, "S3").implement("Definitions$Narrow").build()));

        String[] hosts = {"Gone", "p/Far", "Definitions$Hidden", "Near", "[I"};
        for (String host : hosts) {
            Asm t = new Asm(55, "Target").code(Asm.PRIVATE | Asm.STATIC, "m", "()I", 1, 0).op(8, 0xac).end().addField(Asm.PRIVATE | Asm.STATIC, "f", "I");
            int i = t.cls(host);
            t.attribute("NestHost", new byte[] {(byte) (i >> 8), (byte) i});
            Asm u = new Asm(55, "User");
            u.code(Asm.STATIC, "call", "()I", 1, 0).ref(0xb8, u.method("Target", "m", "()I")).op(0xac).end();
            u.code(Asm.STATIC, "get", "()I", 1, 0).ref(0xb2, u.field("Target", "f", "I")).op(0xac).end();
            L l = new L();
            l.add(t, u, new Asm(55, "p/Far"), new Asm(55, "Near"));
            Asm.show("host " + host, l, "User", "call");
            Asm.show("host " + host, l, "User", "call");
            Asm.show("host " + host, l, "User", "get");
            show("host of Target", () -> l.loadClass("Target").getNestHost().getSimpleName());
        }

        Asm m = new Asm(52, "Types").addField(0, "f", "LMissing;").init();
        Asm n = new Asm(52, "Types2").init().code(Asm.PUBLIC, "n", "([LMissing;)V", 1, 2).op(0xb1).end();
        Asm r = new Asm(52, "Types4").init().code(Asm.PUBLIC, "r", "()LMissing;", 1, 1).op(1, 0xb0).end();
        Asm o = new Asm(52, "Types3");
        o.code(Asm.PUBLIC, "<init>", "(LMissing;)V", 1, 2).op(0x2a).ref(0xb7, o.method("java/lang/Object", "<init>", "()V")).op(0xb1).end();
        L l = new L();
        l.add(m, n, o, r);
        show("fields", () -> l.loadClass("Types").getDeclaredFields().length);
        show("field", () -> l.loadClass("Types").getDeclaredField("f"));
        show("no field", () -> l.loadClass("Types2").getDeclaredFields().length);
        show("methods", () -> l.loadClass("Types2").getDeclaredMethods().length);
        show("public methods", () -> l.loadClass("Types2").getMethods().length);
        show("constructors", () -> l.loadClass("Types3").getDeclaredConstructors().length);
        show("return", () -> l.loadClass("Types4").getMethod("r"));
        try {
            l.loadClass("Types4").getDeclaredMethods();
        } catch (NoClassDefFoundError e) {
            System.out.println("caught " + e.getMessage());
        }

        for (String c : new String[] {"Fails", "Prints", "Without"}) {
            Class<?> k = Class.forName("Definitions$" + c, false, Definitions.class.getClassLoader());
            show("serialVersionUID of " + c, () -> ObjectStreamClass.lookup(k).getSerialVersionUID() != 0);
        }
    }
}
