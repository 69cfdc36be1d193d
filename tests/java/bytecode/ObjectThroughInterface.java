/** invokeinterface of a method of Object, and of a private interface method, on receivers that do not implement the interface. */
public class ObjectThroughInterface {
    public interface I {}
    public static class Yes implements I { public String toString() { return "yes"; } public int hashCode() { return 7; } }
    public static class No { public String toString() { return "no"; } public int hashCode() { return 8; } }

    static Asm unit() {
        Asm a = new Asm(49, "T");
        String[][] ms = {{"toString", "()Ljava/lang/String;"}, {"hashCode", "()I"}, {"getClass", "()Ljava/lang/Class;"}, {"notify", "()V"}};
        for (String[] m : ms) for (int i = 0; i < 2; i++) {
            String result = m[1].substring(2);
            a.code(Asm.STATIC, m[0] + i, "(Ljava/lang/Object;)" + result, 1, 1).op(0x2a).ref(0xb9, a.imethod("ObjectThroughInterface$I", m[0], m[1])).op(1, 0, result.equals("V") ? 0xb1 : result.equals("I") ? 0xac : 0xb0).end();
        }
        a.code(Asm.STATIC, "loop", "(Ljava/lang/Object;Ljava/lang/Object;)I", 2, 3).op(3, 0x3d).label("l").op(0x2a).ref(0xb9, a.imethod("ObjectThroughInterface$I", "hashCode", "()I")).op(1, 0, 0x1c, 0x60, 0x3d, 0x2b, 0x4b, 0x1c, 0x10, 30).jump(0xa1, "l").op(0x1c, 0xac).end();
        return a;
    }
    static void all(String method, Object... receivers) {
        Asm.Loader l = new Asm.Loader().add(unit());
        for (Object r : receivers) for (int i = 0; i < 2; i++) Asm.show(method + i + " " + (r == null ? null : r.getClass().getSimpleName()), l, "T", method + i, r);
    }
    public static void main(String[] args) {
        Yes yes = new Yes();
        No no = new No();
        for (String m : new String[] {"toString", "hashCode", "getClass", "notify"}) {
            all(m, no, null, no, yes, no, yes, null);
            all(m, yes, no);
            all(m, null, new int[0], "text");
        }
        Asm.show("loop", new Asm.Loader().add(unit()), "T", "loop", yes, yes);
        Asm.show("loop", new Asm.Loader().add(unit()), "T", "loop", no, yes);
        // a handle asks its own type only
        Asm h = new Asm(55, "H");
        h.code(Asm.STATIC, "handle", "(Ljava/lang/Object;)Ljava/lang/Object;", 2, 1).ref(0x13, h.handle(9, h.imethod("ObjectThroughInterface$I", "toString", "()Ljava/lang/String;"))).op(0x2a).ref(0xb6, h.method("java/lang/invoke/MethodHandle", "invokeExact", "(LObjectThroughInterface$I;)Ljava/lang/String;")).op(0xb0).end();
        for (Object r : new Object[] {yes, no, null, "text", yes}) Asm.show("handle " + (r == null ? null : r.getClass().getSimpleName()), new Asm.Loader().add(h), "H", "handle", r);
        // a private method is called on those that implement the interface alone
        Asm p = new Asm(55, "P", "java/lang/Object", Asm.PUBLIC | Asm.INTERFACE | Asm.ABSTRACT).code(Asm.PRIVATE, "m", "()I", 1, 1).op(8, 0xac).end();
        p.code(Asm.PUBLIC | Asm.STATIC, "call", "(Ljava/lang/Object;)I", 1, 1).op(0x2a).ref(0xb9, p.imethod("P", "m", "()I")).op(1, 0, 0xac).end();
        Asm q = new Asm(55, "Q").init().implement("P");
        Asm.Loader l = new Asm.Loader().add(p, q);
        try {
            Object good = l.loadClass("Q").getConstructor().newInstance();
            for (Object r : new Object[] {no, good, no, good, null, "text", good}) Asm.show("private " + (r == null ? null : r.getClass().getSimpleName()), l, "P", "call", r);
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
    }
}
