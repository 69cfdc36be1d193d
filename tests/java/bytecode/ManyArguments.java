/** Calls with more than 255 slots of arguments, which class files before version 50 may not have: what comes first of several errors. */
public class ManyArguments {
    static final String I = "(" + "I".repeat(255) + ")V", J = "(" + "J".repeat(127) + ")V", J2 = "(" + "J".repeat(128) + ")V", D = "(" + "D".repeat(127) + "I)V", O = "(" + "Ljava/lang/String;".repeat(255) + ")V", OK = "(" + "I".repeat(254) + ")V";
    interface Body { void emit(Asm a, Asm.Code c); }
    static void show(String what, Body body) {
        for (int major : new int[] {45, 48, 49, 50, 61}) {
            Asm a = new Asm(major, "X");
            Asm.Code c = a.code(Asm.STATIC | Asm.PUBLIC, "run", "()V", 300, 2);
            body.emit(a, c);
            c.end();
            String s;
            try { Class<?> k = new Asm.Loader().add(a).loadClass("X"); k.getDeclaredMethods(); Class.forName("X", true, k.getClassLoader()); s = "linked"; }
            catch (Throwable t) { s = t.toString().lines().findFirst().get().replaceAll("(I|J|D|Ljava/lang/String;){100,}", "$1..."); }
            System.out.println(what + " " + major + ": " + s);
        }
    }
    static void push(Asm.Code c, int n, int op) { for (int i = 0; i < n; i++) c.op(op); }
    public static void main(String[] args) {
        show("virtual", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("virtual, fits", (a, c) -> { c.op(1); push(c, 254, 3); c.ref(0xb6, a.method("java/lang/String", "m", OK)).op(0xb1); });
        show("static", (a, c) -> { push(c, 255, 3); c.ref(0xb8, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("special", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb7, a.method("X", "m", I)).op(0xb1); });
        show("interface", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb9, a.imethod("java/lang/Runnable", "m", I)).op(0, 0, 0xb1); });
        show("interface, count 255", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb9, a.imethod("java/lang/Runnable", "m", I)).op(255, 0, 0xb1); });
        show("interface, fourth", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb9, a.imethod("java/lang/Runnable", "m", I)).op(0, 1, 0xb1); });
        show("longs", (a, c) -> { c.op(1); push(c, 127, 9); c.ref(0xb6, a.method("java/lang/String", "m", J)).op(0xb1); });
        show("longs, too many", (a, c) -> { push(c, 128, 9); c.ref(0xb8, a.method("java/lang/String", "m", J2)).op(0xb1); });
        show("doubles", (a, c) -> { c.op(1); push(c, 127, 14); c.op(3).ref(0xb6, a.method("java/lang/String", "m", D)).op(0xb1); });
        show("strings", (a, c) -> { c.op(1); push(c, 255, 1); c.ref(0xb6, a.method("java/lang/String", "m", O)).op(0xb1); });
        show("never reached", (a, c) -> { c.op(0xb1); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("empty stack", (a, c) -> { c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("wrong arguments", (a, c) -> { c.op(1); push(c, 255, 11); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("wrong receiver", (a, c) -> { c.op(3); push(c, 255, 3); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("initializer by virtual", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb6, a.method("java/lang/String", "<init>", I)).op(0xb1); });
        show("initializer", (a, c) -> { c.ref(0xbb, a.cls("java/lang/String")).op(0x59); push(c, 255, 3); c.ref(0xb7, a.method("java/lang/String", "<init>", I)).op(0x57, 0xb1); });
        show("special of a stranger", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb7, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("error before", (a, c) -> { c.op(0x15, 9).op(0x57, 1); push(c, 255, 3); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("error behind", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0x15, 9, 0x57, 0xb1); });
        show("type error before", (a, c) -> { c.op(3, 0x46, 1); push(c, 255, 3); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("type error in dead code", (a, c) -> { c.op(0xa7).u2(3).op(1); push(c, 255, 3); c.ref(0xb6, a.method("java/lang/String", "m", I)).op(0xb1); });
        show("constant", (a, c) -> { c.op(1); c.ref(0xb6, a.imethod("java/lang/String", "m", I)).op(0xb1); });
        show("array", (a, c) -> { c.op(1); push(c, 255, 3); c.ref(0xb6, a.method("[I", "m", I)).op(0xb1); });
    }
}
