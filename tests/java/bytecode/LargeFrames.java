/** Frames as large as class files can declare them: 65,535 locals, 65,535 operands. */
public class LargeFrames {
    static final int WIDE = 0xc4, ILOAD = 0x15, LLOAD = 0x16, DLOAD = 0x18, ALOAD = 0x19, ISTORE = 0x36, LSTORE = 0x37, DSTORE = 0x39, ASTORE = 0x3a, IINC = 0x84;
    static final int MOST = 65535;

    static Asm.Code wide(Asm.Code c, int op, int local) {
        return c.op(WIDE, op).u2(local);
    }

    public static int collect() {
        System.gc();
        return 1;
    }

    /** A loop over the last locals, with a reference that a collection moves and long values at odd places. */
    static void loop(int version, int stack, int locals) {
        Asm a = new Asm(version, "Loop");
        Asm.Code c = a.code(Asm.STATIC, "m", "(IJLjava/lang/String;)Ljava/lang/String;", stack, locals);
        int top = locals - 1;
        c.op(0x1a);
        wide(c, ISTORE, top);
        c.op(0x1f);
        wide(c, LSTORE, top - 3);
        c.op(0x2d).ref(0xb6, a.method("java/lang/String", "trim", "()Ljava/lang/String;"));
        wide(c, ASTORE, top - 1);
        c.ref(0x14, a.doubles(0.5));
        wide(c, DSTORE, 300);
        c.label("again");
        wide(c, LLOAD, top - 3);
        wide(c, ILOAD, top);
        c.op(0x85, 0x61);
        wide(c, LSTORE, top - 3);
        wide(c, DLOAD, 300);
        wide(c, DLOAD, 300);
        c.op(0x63);
        wide(c, DSTORE, 300);
        c.ref(0xb8, a.method("LargeFrames", "collect", "()I")).op(0x57);
        c.op(WIDE, IINC).u2(top).u2(-1);
        wide(c, ILOAD, top);
        c.jump(0x9a, "again");
        c.ref(0xbb, a.cls("java/lang/StringBuilder")).op(0x59).ref(0xb7, a.method("java/lang/StringBuilder", "<init>", "()V"));
        wide(c, LLOAD, top - 3);
        c.ref(0xb6, a.method("java/lang/StringBuilder", "append", "(J)Ljava/lang/StringBuilder;"));
        wide(c, ALOAD, top - 1);
        c.ref(0xb6, a.method("java/lang/StringBuilder", "append", "(Ljava/lang/String;)Ljava/lang/StringBuilder;"));
        wide(c, DLOAD, 300);
        c.ref(0xb6, a.method("java/lang/StringBuilder", "append", "(D)Ljava/lang/StringBuilder;"));
        c.ref(0xb6, a.method("java/lang/StringBuilder", "toString", "()Ljava/lang/String;")).op(0xb0).end();
        Asm.show("loop " + stack + " " + locals, new Asm.Loader().add(a), "Loop", "m", 3, 1L << 40, " text ");
    }

    /** Locks, throws into its own handler, and calls itself until the stack is full. */
    static void recursion() {
        Asm a = new Asm(49, "Deep");
        a.addField(Asm.STATIC, "depth", "I");
        Asm.Code c = a.code(Asm.STATIC | Asm.SYNCHRONIZED, "m", "(I)I", MOST, MOST);
        int depth = a.field("Deep", "depth", "I");
        c.op(0x1a);
        wide(c, ISTORE, MOST - 1);
        c.ref(0xb2, depth).op(0x04, 0x60).ref(0xb3, depth);
        c.label("from");
        wide(c, ILOAD, MOST - 1);
        c.op(0x04, 0x60).ref(0xb8, a.method("Deep", "m", "(I)I")).op(0xac).label("to");
        c.label("caught");
        wide(c, ASTORE, MOST - 2);
        wide(c, ILOAD, MOST - 1);
        c.op(0xac).handler("from", "to", "caught", "java/lang/StackOverflowError").end();
        Asm.Code two = a.code(Asm.STATIC, "twice", "()I", 2, 0);
        two.op(0x03).ref(0xb8, a.method("Deep", "m", "(I)I")).op(0x57).ref(0xb2, depth).op(0x05);
        two.jump(0xa1, "few").op(0x04, 0xac).label("few").op(0x03, 0xac).end();
        Asm.show("recursion", new Asm.Loader().add(a), "Deep", "twice");
    }

    public static void main(String[] args) {
        for (int version : new int[] {49}) {
            loop(version, 10, 400);
            loop(version, 10, MOST);
            loop(version, MOST, 400);
            loop(version, MOST, MOST);
        }
        recursion();
    }
}
