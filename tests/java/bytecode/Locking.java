/** Unstructured locking: a return or an exception with a monitor held, exits of what another frame has entered, synchronized methods that leave their own monitor. */
public class Locking {
    public static final Object lock = new Object(), other = new Object();
    static String caught;
    public static void boom() { throw new RuntimeException("boom"); }
    public static void death() { throw new ThreadDeath(); }
    public static boolean held() { return Thread.holdsLock(lock); }
    public static void exit() {}

    static Asm a = new Asm(49, "U");
    static final int ENTER = 0xc2, EXIT = 0xc3, RETURN = 0xb1, IRETURN = 0xac, ATHROW = 0xbf;
    static Asm.Code m(String n, String d) { return m(Asm.STATIC, n, d); }
    static Asm.Code m(int access, String n, String d) { return a.code(access, n, d, 6, 6); }
    static Asm.Code lock(Asm.Code c) { return c.ref(0xb2, a.field("Locking", "lock", "Ljava/lang/Object;")); }
    static Asm.Code other(Asm.Code c) { return c.ref(0xb2, a.field("Locking", "other", "Ljava/lang/Object;")); }
    static Asm.Code enter(Asm.Code c) { return lock(c).op(ENTER); }
    static Asm.Code exit(Asm.Code c) { return lock(c).op(EXIT); }
    static Asm.Code call(Asm.Code c, String n, String d) { return c.ref(0xb8, a.method("Locking", n, d)); }

    static void show(Asm.Loader l, String n, Object... args) {
        String s;
        StackTraceElement[] st = {};
        try { s = " = " + l.call("U", n, args); } catch (Throwable t) {
            s = " -> " + Asm.describe(t);
            st = t.getStackTrace();
        }
        System.out.println(n + s + (st.length > 0 ? " at " + st[0].getMethodName() : "") + ", held " + Thread.holdsLock(lock) + " " + Thread.holdsLock(other));
        while (Thread.holdsLock(lock)) try { l.call("U", "release"); } catch (Throwable t) { System.out.println("  " + Asm.describe(t)); break; }
    }
    public static void main(String[] args) throws Throwable {
        enter(m("returnHeld", "()V")).op(RETURN).end();
        enter(m("returnIntHeld", "()I")).op(0x10, 42, IRETURN).end();
        enter(enter(m("returnHeldTwice", "()V"))).op(RETURN).end();
        exit(enter(enter(m("returnHeldOfTwo", "()V")))).op(RETURN).end();
        other(enter(m("returnBothHeld", "()V"))).op(ENTER).op(RETURN).end();
        call(enter(m("throwHeld", "()V")), "boom", "()V").op(RETURN).end();
        call(enter(m("deathHeld", "()V")), "death", "()V").op(RETURN).end();
        // caught in the frame: the monitor stays held, the exception is the return's
        m("caughtHeld", "()Ljava/lang/Object;").label("a").ref(0xb2, a.field("Locking", "lock", "Ljava/lang/Object;")).op(ENTER, 1, 0xb0).label("b").label("h").op(0xb0).handler("a", "b", "h", null).end();
        // the handler releases
        exit(m("caughtReleased", "()Ljava/lang/Object;").label("a").ref(0xb2, a.field("Locking", "lock", "Ljava/lang/Object;")).op(ENTER, 0x01, 0xb0).label("b").label("h")).op(0xb0).handler("a", "b", "h", null).end();
        exit(m("exitNotEntered", "()V")).op(RETURN).end();
        call(exit(m("exitOfCaller", "()V")), "exit", "()V").op(RETURN).end();
        exit(enter(m("entersThenCalls", "()V")).ref(0xb8, a.method("U", "exitOfCaller", "()V"))).op(RETURN).end();
        exit(exit(enter(m("exitTwice", "()V")))).op(RETURN).end();
        exit(enter(other(exit(enter(m("sequence", "()I")))).op(ENTER)).ref(0xb2, a.field("Locking", "other", "Ljava/lang/Object;")).op(EXIT)).op(4, IRETURN).end();
        // other order than the entries'
        other(exit(other(enter(m("crossed", "()I"))).op(ENTER))).op(EXIT, 4, IRETURN).end();
        // ten times in a loop, ten times out of it
        Asm.Code c = m("loops", "()I").op(3, 0x3b).label("in");
        lock(c).op(ENTER, 0x84, 0, 1, 0x1a, 0x10, 10).jump(0xa1, "in").label("out");
        lock(c).op(EXIT, 0x84, 0, 0xff, 0x1a).jump(0x9d, "out").op(0x1a, IRETURN).end();
        c = m("loopsUneven", "()I").op(3, 0x3b).label("in");
        lock(c).op(ENTER, 0x84, 0, 1, 0x1a, 0x10, 100).jump(0xa1, "in").label("out");
        lock(c).op(EXIT, 0x84, 0, 0xff, 0x1a, 4).jump(0xa3, "out").op(0x1a, IRETURN).end();
        m("nullEnter", "()V").op(1, ENTER, RETURN).end();
        m("nullExit", "()V").op(1, EXIT, RETURN).end();
        m(Asm.STATIC | Asm.SYNCHRONIZED, "syncLeaves", "()I").ref(0x13, a.cls("U")).op(EXIT, 4, IRETURN).end();
        m(Asm.STATIC | Asm.SYNCHRONIZED, "syncLeavesAndEnters", "()I").ref(0x13, a.cls("U")).op(EXIT).ref(0x13, a.cls("U")).op(ENTER, 4, IRETURN).end();
        call(m(Asm.STATIC | Asm.SYNCHRONIZED, "syncLeavesThrows", "()V").ref(0x13, a.cls("U")).op(EXIT), "boom", "()V").op(RETURN).end();
        enter(m(Asm.STATIC | Asm.SYNCHRONIZED, "syncHolds", "()V")).op(RETURN).end();
        call(enter(m(Asm.STATIC | Asm.SYNCHRONIZED, "syncHoldsThrows", "()V")), "boom", "()V").op(RETURN).end();
        enter(m("athrowHeld", "()V")).ref(0xbb, a.cls("java/lang/Error")).op(0x59).ref(0xb7, a.method("java/lang/Error", "<init>", "()V")).op(ATHROW).end();
        // what compilers make, by hand
        c = lock(m("structured", "()I")).op(0x59, 0x4b, ENTER).label("a");
        call(c, "held", "()Z").op(0x2a, EXIT).label("b").op(IRETURN).label("h").op(0x4c, 0x2a, EXIT).label("e").op(0x2b, ATHROW).handler("a", "b", "h", null).handler("h", "e", "h", null).end();
        c = lock(m("structuredThrows", "()V")).op(0x59, 0x4b, ENTER).label("a");
        call(c, "boom", "()V").op(0x2a, EXIT).label("b").op(RETURN).label("h").op(0x4c, 0x2a, EXIT).label("e").op(0x2b, ATHROW).handler("a", "b", "h", null).handler("h", "e", "h", null).end();
        // a way out that forgets it
        lock(m("oneWayForgets", "(I)I")).op(0x59, 0x4c, ENTER, 0x1a).jump(0x99, "z").op(0x2b, EXIT).label("z").op(0x1a, IRETURN).end();
        m("release", "()V").ref(0xb2, a.field("Locking", "lock", "Ljava/lang/Object;")).op(EXIT, RETURN).end();
        // a local that changes while its old object is locked
        lock(lock(m("localChanges", "()V")).op(0x59, 0x4b, ENTER).ref(0xb2, a.field("Locking", "other", "Ljava/lang/Object;")).op(0x4b, 0x2a, EXIT)).op(EXIT, RETURN).end();
        Asm.Loader l = new Asm.Loader().add(a);
        for (String n : new String[] {"returnHeld", "returnIntHeld", "returnHeldTwice", "returnHeldOfTwo", "returnBothHeld", "throwHeld", "deathHeld", "caughtHeld", "caughtReleased", "exitNotEntered", "exitOfCaller", "entersThenCalls", "exitTwice", "sequence", "crossed", "loops", "loopsUneven", "nullEnter", "nullExit", "syncLeaves", "syncLeavesAndEnters", "syncLeavesThrows", "syncHolds", "syncHoldsThrows", "athrowHeld", "structured", "structuredThrows", "localChanges"}) show(l, n);
        show(l, "oneWayForgets", 0);
        show(l, "oneWayForgets", 1);
        // nobody is locked out
        Thread t = new Thread(() -> { synchronized (lock) { synchronized (other) { System.out.println("free"); } } });
        t.start();
        t.join();
        // contention, and a collection while a monitor is held
        Thread[] ts = new Thread[4];
        int[] n = {0};
        for (int i = 0; i < ts.length; i++) (ts[i] = new Thread(() -> { for (int k = 0; k < 200; k++) { synchronized (lock) { n[0]++; } try { l.call("U", "loops"); l.call("U", "throwHeld"); } catch (Throwable e) { synchronized (lock) { n[0]++; } } if (k % 50 == 0) System.gc(); } })).start();
        for (Thread x : ts) x.join();
        System.out.println(n[0]);
    }
}
