import java.lang.invoke.*;

/** Static arguments of bootstraps that fail: those that were resolved stay so, and other bootstraps with the same constants run. */
public class SharedArguments {
    static final String O = "Ljava/lang/Object;", L = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;";
    static String log = "";
    public static Object constant(MethodHandles.Lookup l, String n, Class<?> t, Object... args) throws Throwable { return run(n, args); }
    public static CallSite site(MethodHandles.Lookup l, String n, MethodType t, Object... args) throws Throwable { return new ConstantCallSite(MethodHandles.constant(Object.class, run(n, args))); }
    static Object run(String n, Object[] args) throws Throwable {
        log += " [" + n;
        for (Object a : args) log += " " + (a instanceof MethodHandle h ? h.type() : a);
        log += "]";
        switch (n) {
            case "runtime": throw new IllegalStateException("thrown");
            case "linkage": throw new LinkageError("thrown");
            case "assertion": throw new AssertionError("thrown");
            default: return n + " fine";
        }
    }
    static void show(Asm.Loader l, String what, String method) {
        String s;
        log = "";
        try { s = " = " + l.call("T", method); } catch (Throwable t) { s = " -> " + Asm.describe(t); }
        System.out.println("  " + what + log + s);
    }
    interface Args { int[] of(Asm a); }
    /** Each name as a constant and as a call site, with the arguments alone and with one that fails before or behind them. */
    static void all(String what, Args args, String... names) {
        System.out.println(what);
        Asm a = new Asm(55, "T");
        int missing = a.cls("Gone");
        for (String n : names) {
            int[] plain = args.of(a), behind = new int[plain.length + 1], before = new int[plain.length + 1];
            System.arraycopy(plain, 0, behind, 0, plain.length);
            System.arraycopy(plain, 0, before, 1, plain.length);
            int inner = a.dynamic(a.bootstrap("SharedArguments", "constant", L + "Ljava/lang/Class;[" + O + ")" + O, plain), "runtime", O);
            behind[plain.length] = before[0] = n.equals("missing") ? missing : n.equals("nested") ? inner : a.string("more");
            int k = 0;
            for (int[] list : new int[][] {plain, behind, before}) {
                int c = a.dynamic(a.bootstrap("SharedArguments", "constant", L + "Ljava/lang/Class;[" + O + ")" + O, list), n, O);
                int s = a.indy(a.bootstrap("SharedArguments", "site", L + "Ljava/lang/invoke/MethodType;[" + O + ")Ljava/lang/invoke/CallSite;", list), n, "()" + O);
                a.code(Asm.STATIC, n + "Constant" + k, "()" + O, 2, 0).ref(0x13, c).op(0xb0).end();
                a.code(Asm.STATIC, n + "Site" + k++, "()" + O, 2, 0).ref(0xba, s).op(0, 0, 0xb0).end();
            }
        }
        Asm.Loader l = new Asm.Loader().add(a);
        for (String n : names)
            for (int k = 0; k < 3; k++)
                for (int again = 0; again < 2; again++) {
                    show(l, n + " " + k + ", constant", n + "Constant" + k);
                    show(l, n + " " + k + ", site", n + "Site" + k);
                }
    }
    public static void main(String[] args) {
        String[] all = {"runtime", "linkage", "assertion", "missing", "nested", "good"};
        all("int", a -> new int[] {a.integer(123456)}, all);
        all("numbers", a -> new int[] {a.integer(-7), a.longs(1L << 40), a.floating(1.5f), a.doubles(2.5)}, all);
        all("others", a -> new int[] {a.string("text"), a.cls("java/lang/String"), a.mtype("(I)V"), a.handle(6, a.method("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"))}, all);
        all("mixed", a -> new int[] {a.doubles(0.5), a.string("text"), a.integer(9), a.cls("[I"), a.longs(3)}, "linkage", "nested", "good", "missing");
    }
}
