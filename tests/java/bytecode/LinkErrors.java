import java.lang.invoke.*;
import java.util.*;

/** Call sites and constants that can't be linked: LinkageErrors are kept and thrown again (JVMS 5.4.3, 5.4.3.6), other errors are not; nothing is resolved twice. */
public class LinkErrors {
    static final int ALDC = 0x12, LDCW = 0x13;
    static int asked, called;
    static class L extends Asm.Loader {
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException { asked++; if (n.equals("Throws")) throw new IllegalStateException("asked for " + n); return super.findClass(n); }
    }
    public static CallSite site(MethodHandles.Lookup l, String n, MethodType t) throws Throwable { return fail(n, new ConstantCallSite(MethodHandles.constant(Object.class, "fine").asType(t))); }
    public static CallSite with(MethodHandles.Lookup l, String n, MethodType t, Object a) throws Throwable { return site(l, n, t); }
    public static Object constant(MethodHandles.Lookup l, String n, Class<?> t) throws Throwable { return fail(n, "fine"); }
    public static Object constantWith(MethodHandles.Lookup l, String n, Class<?> t, Object a) throws Throwable { return fail(n, "fine"); }
    static <T> T fail(String n, T good) throws Throwable {
        called++;
        switch (n) {
            case "exception": throw new Exception("thrown " + called);
            case "runtime": throw new IllegalStateException("thrown " + called);
            case "linkage": throw new LinkageError("thrown " + called, new Exception("why " + called));
            case "assertion": throw new AssertionError("thrown " + called);
            case "bootstrapError": throw new BootstrapMethodError("thrown " + called);
            case "missingClass": throw new NoClassDefFoundError("thrown/" + called);
            case "memory": throw new OutOfMemoryError("thrown " + called);
            case "null": return null;
            case "wrong": return n.equals("wrong") && good instanceof CallSite ? (T) new ConstantCallSite(MethodHandles.constant(int.class, 1)) : (T) Integer.valueOf(3);
            default: return good;
        }
    }
    static void run(String what, L l, String c, String m, Map<Throwable, Integer> seen) {
        asked = called = 0;
        String s;
        try { s = " = " + l.call(c, m); } catch (Throwable t) {
            StringBuilder b = new StringBuilder(" -> ");
            if (t instanceof StackOverflowError) { System.out.println(what + " -> overflow"); return; }
            for (Throwable x = t; x != null; x = x.getCause()) {
                Integer k = seen.get(x);
                b.append(k != null ? "#" + k + " " : "new ");
                if (k == null) seen.put(x, seen.size());
                b.append(x.getClass().getName()).append(": ").append(x.getMessage() == null ? null : x.getMessage().replaceAll("@[0-9a-f]+", "@HASH").replaceAll("at index \\d+", "at index N"));
                StackTraceElement[] st = x.getStackTrace();
                b.append(" at ");
                for (int i = 0; i < Math.min(2, st.length); i++) b.append(st[i].getClassName() + "." + st[i].getMethodName() + " ");
                if (x.getCause() != null) b.append(" / ");
            }
            s = b.toString();
        }
        System.out.println(what + (asked > 0 ? " [loader asked " + asked + "]" : "") + (called > 0 ? " [bootstrap " + called + "]" : "") + s);
    }
    static Asm indy(String name, String desc, java.util.function.ToIntFunction<Asm> bsm) {
        Asm a = new Asm(55, "T");
        int i = a.indy(bsm.applyAsInt(a), name, desc);
        boolean arg = desc.charAt(1) != ')';
        for (String m : new String[] {"one", "two"}) {
            Asm.Code c = a.code(Asm.STATIC, m, "()Ljava/lang/Object;", 2, 0);
            if (arg) c.op(1);
            c.ref(0xba, i).op(0, 0).op(0xb0).end();
        }
        return a;
    }
    static Asm ldc(java.util.function.ToIntFunction<Asm> constant) {
        Asm a = new Asm(55, "T");
        int i = constant.applyAsInt(a);
        for (String m : new String[] {"one", "two"}) a.code(Asm.STATIC, m, "()Ljava/lang/Object;", 2, 0).ref(LDCW, i).op(0xb0).end();
        return a;
    }
    static void both(String what, Asm a) {
        L l = new L();
        l.add(a);
        l.add(new Asm(55, "Holder").code(Asm.STATIC | Asm.PUBLIC, "exists", "(LGone;)V", 0, 1).op(0xb1).end().code(Asm.STATIC | Asm.PRIVATE, "hidden", "()V", 0, 0).op(0xb1).end());
        Map<Throwable, Integer> seen = new IdentityHashMap<>();
        run(what + " 1a", l, "T", "one", seen);
        run(what + " 1b", l, "T", "one", seen);
        run(what + " 2a", l, "T", "two", seen);
        run(what + " 2b", l, "T", "two", seen);
    }
    static final String B = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;", CS = ")Ljava/lang/invoke/CallSite;", O = "Ljava/lang/Object;";
    static final String K = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;";
    public static void main(String[] args) {
        both("bootstrap class missing", indy("x", "()" + O, a -> a.bootstrap("Gone", "bsm", B + CS)));
        both("bootstrap method missing", indy("x", "()" + O, a -> a.bootstrap("LinkErrors", "bsm", B + CS)));
        both("bootstrap type missing", indy("x", "()" + O, a -> a.bootstrap("LinkErrors", "site", B + "LGone;" + CS)));
        both("return type missing", indy("x", "()LGone;", a -> a.bootstrap("LinkErrors", "site", B + CS)));
        both("parameter type missing", indy("x", "(LGone;)" + O, a -> a.bootstrap("LinkErrors", "site", B + CS)));
        both("argument class missing", indy("x", "()" + O, a -> a.bootstrap("LinkErrors", "with", B + O + CS, a.cls("Gone"))));
        both("argument type missing", indy("x", "()" + O, a -> a.bootstrap("LinkErrors", "with", B + O + CS, a.mtype("(LGone;)V"))));
        both("argument handle missing", indy("x", "()" + O, a -> a.bootstrap("LinkErrors", "with", B + O + CS, a.handle(6, a.method("LinkErrors", "none", "()V")))));
        both("argument dynamic fails", indy("x", "()" + O, a -> a.bootstrap("LinkErrors", "with", B + O + CS, a.dynamic(a.bootstrap("LinkErrors", "constant", K + ")" + O), "runtime", O))));
        for (String n : new String[] {"exception", "runtime", "linkage", "assertion", "bootstrapError", "missingClass", "memory", "null", "wrong", "fine"}) {
            both("site " + n, indy(n, "()" + O, a -> a.bootstrap("LinkErrors", "site", B + CS)));
            both("constant " + n, ldc(a -> a.dynamic(a.bootstrap("LinkErrors", "constant", K + ")" + O), n, n.equals("wrong") ? "Ljava/lang/String;" : O)));
        }
        both("constant, bootstrap class missing", ldc(a -> a.dynamic(a.bootstrap("Gone", "bsm", K + ")" + O), "x", O)));
        both("constant, bootstrap method missing", ldc(a -> a.dynamic(a.bootstrap("LinkErrors", "bsm", K + ")" + O), "x", O)));
        both("constant, type missing", ldc(a -> a.dynamic(a.bootstrap("LinkErrors", "constant", K + ")" + O), "x", "LGone;")));
        both("constant, argument missing", ldc(a -> a.dynamic(a.bootstrap("LinkErrors", "constantWith", K + O + ")" + O, a.cls("Gone")), "x", O)));
        both("handle, class missing", ldc(a -> a.handle(6, a.method("Gone", "m", "()V"))));
        both("handle, method missing", ldc(a -> a.handle(6, a.method("LinkErrors", "none", "()V"))));
        both("handle, type missing", ldc(a -> a.handle(6, a.method("LinkErrors", "none", "(LGone;)V"))));
        both("handle, private", ldc(a -> a.handle(6, a.method("java/lang/Object", "registerNatives", "()V"))));
        both("handle, not static", ldc(a -> a.handle(6, a.method("java/lang/Object", "hashCode", "()I"))));
        both("handle, field missing", ldc(a -> a.handle(1, a.field("LinkErrors", "none", "I"))));
        both("handle, final field", ldc(a -> a.handle(4, a.field("java/lang/Integer", "MAX_VALUE", "I"))));
        both("handle, existing with missing type", ldc(a -> a.handle(6, a.method("Holder", "exists", "(LGone;)V"))));
        both("handle, private in another class", ldc(a -> a.handle(6, a.method("Holder", "hidden", "()V"))));
        both("handle, interface as class", ldc(a -> a.handle(5, a.method("java/lang/Runnable", "run", "()V"))));
        both("handle, class as interface", ldc(a -> a.handle(9, a.imethod("java/lang/Thread", "run", "()V"))));
        both("handle, static interface method as class's", ldc(a -> a.handle(6, a.method("java/util/List", "of", "()Ljava/util/List;"))));
        both("handle, static as virtual", ldc(a -> a.handle(5, a.method("java/lang/Thread", "yield", "()V"))));
        both("handle, static field as instance", ldc(a -> a.handle(1, a.field("java/lang/Integer", "MAX_VALUE", "I"))));
        both("handle, invokeExact", ldc(a -> a.handle(5, a.method("java/lang/invoke/MethodHandle", "invokeExact", "(I)V"))));
        both("handle, clone of an array", ldc(a -> a.handle(5, a.method("[I", "clone", "()Ljava/lang/Object;"))));
        both("constant that is its own argument", ldc(a -> a.dynamic(0, "x", O) + 0 * a.bootstrap("LinkErrors", "constantWith", K + O + ")" + O, a.dynamic(0, "x", O))));
        both("loader throws", indy("x", "()LThrows;", a -> a.bootstrap("LinkErrors", "site", B + CS)));
        both("loader throws in bootstrap", indy("x", "()" + O, a -> a.bootstrap("Throws", "site", B + CS)));
        both("loader throws in argument", indy("x", "()" + O, a -> a.bootstrap("LinkErrors", "with", B + O + CS, a.cls("Throws"))));
        both("loader throws in constant", ldc(a -> a.dynamic(a.bootstrap("LinkErrors", "constantWith", K + O + ")" + O, a.cls("Throws")), "x", O)));
        both("loader throws in handle", ldc(a -> a.handle(6, a.method("Throws", "m", "()V"))));
        both("type, class missing", ldc(a -> a.mtype("(LGone;)V")));
        both("type, array of missing class", ldc(a -> a.mtype("()[[LGone;")));
        both("class missing", ldc(a -> a.cls("Gone")));
    }
}
