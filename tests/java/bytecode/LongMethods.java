/** Methods of 65,535 bytes, the most that a class file can have: straight, with a loop and a switch over all of it, and with a handler up to the end. */
public class LongMethods {
    static final int MOST = 65535;
    static final int NOP = 0, ILOAD_0 = 0x1a, ISTORE_0 = 0x3b, IADD = 0x60, ISUB = 0x64, IMUL = 0x68, IXOR = 0x82, IRETURN = 0xac, GOTO_W = 0xc8;
    static final int IFEQ = 0x99, IFLE = 0x9e, GOTO = 0xa7, ATHROW = 0xbf, POP = 0x57, DUP = 0x59;

    /** Fills with arithmetic on local 0 until so many bytes are left. */
    static void fill(Asm.Code c, int until) {
        int[] ops = {IADD, IMUL, IXOR, ISUB};
        for (int n = 0; c.at() + 5 <= until; n++) c.op(ILOAD_0).push(n % 100 + 6).op(ops[n % 4]).op(ISTORE_0);
        while (c.at() < until) c.op(NOP);
    }

    static void straight(int version) {
        Asm a = new Asm(version, "Straight");
        Asm.Code c = a.code(Asm.STATIC, "m", "(I)I", 2, 1);
        fill(c, MOST - 2);
        c.op(ILOAD_0, IRETURN).end();
        Asm.show("straight " + version, new Asm.Loader().add(a), "Straight", "m", 7);
    }

    /** Local 1 counts down; each round begins in another quarter. */
    static void loop() {
        Asm a = new Asm(49, "Loop");
        Asm.Code c = a.code(Asm.STATIC, "m", "(II)I", 3, 2);
        c.label("again").op(0x1b);
        c.table(0, "last", "done", "second", "third", "last");
        c.label("second");
        fill(c, 20000);
        c.label("third");
        fill(c, 40000);
        c.label("last");
        fill(c, MOST - 5 - 3 - 2);
        c.op(0x84, 1, 0xff);
        int at = c.at();
        c.op(GOTO_W).u2(-at >> 16).u2(-at);
        c.label("done").op(ILOAD_0, IRETURN).end();
        Asm.show("loop", new Asm.Loader().add(a), "Loop", "m", 7, 9);
    }

    /** The handler's range ends where the code ends, which no two bytes can say of a longer method. */
    static void handler() {
        Asm a = new Asm(49, "Handler");
        Asm.Code c = a.code(Asm.STATIC, "m", "(I)I", 2, 2);
        c.label("from").op(GOTO).u2(3 + 7);
        c.label("caught").op(POP, ILOAD_0, 0x10, 99, IADD, IRETURN, NOP);
        fill(c, MOST - 8);
        c.op(ILOAD_0).ref(0xb8, a.method("LongMethods", "thrower", "(I)I")).op(ISTORE_0, NOP);
        c.op(ILOAD_0, IRETURN).label("to");
        c.handler("from", "to", "caught", "java/lang/IllegalStateException").end();
        Asm.Loader loader = new Asm.Loader().add(a);
        Asm.show("handler", loader, "Handler", "m", 7);
        Asm.show("handler", loader, "Handler", "m", 8);
    }

    public static int thrower(int n) {
        if ((n & 1) == 0) throw new IllegalStateException("even");
        return n + 1;
    }

    static void tooLong() {
        Asm a = new Asm(49, "TooLong");
        Asm.Code c = a.code(Asm.STATIC, "m", "(I)I", 2, 1);
        fill(c, MOST - 1);
        c.op(ILOAD_0, IRETURN).end();
        Asm.show("too long", new Asm.Loader().add(a), "TooLong", "m", 7);
    }

    public static void main(String[] args) {
        straight(49);
        straight(61);
        loop();
        handler();
        tooLong();
    }
}
