import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Exceptions, references, classes, reflection, monitors, registered natives and modules in the hands of native code. */
public class World {
    static native int throwing(int how, Throwable t);
    static native String references(Object o);
    static native Object kept();
    static native void forget();
    static native Object weak();
    static native int register(Class<?> c, String name, String sig, int which);
    static native int unregister(Class<?> c);
    static native Class<?> find(String name);
    static native long id(int what, Class<?> c, String name, String sig);
    static native Object[] classes(Class<?> a, Class<?> b, Object o);
    static native Object[] reflected(java.lang.reflect.Method m, java.lang.reflect.Field f, java.lang.reflect.Constructor<?> c);
    static native Class<?> define(String name, ClassLoader loader, byte[] bytes);
    static native int monitor(Object o, int how);
    static native void guarded(Object o, Runnable r);
    static native int vm();
    static native int upcalls(IntUnaryOperator f, int n);
    static native void missing();
    static synchronized native int unbound(int n);
    native int registered(int n);
    int field;

    static int boom(int n) { throw new UnsupportedOperationException("boom " + n); }
    static class Init { static { System.out.println("Init is initialized"); } static int x; static void m() {} }
    static class Fails { static { if (true) throw new RuntimeException("in the initializer"); } }

    static void attempt(String what, java.util.concurrent.Callable<?> c) {
        try {
            System.out.println(what + ": " + c.call());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnisuite");
        System.out.println("loaded by " + Loaded.by);
        Exception mine = new Exception("mine");
        for (int i = 0; i < 8; i++) {
            int how = i;
            attempt("throwing " + i, () -> throwing(how, mine));
        }
        StackTraceElement[] trace = null;
        try {
            throwing(3, null);
        } catch (UnsupportedOperationException e) {
            trace = e.getStackTrace();
        }
        for (int i = 0; i < 3; i++) System.out.println(trace[i]);
        System.out.println(references(new StringBuilder("kept")));
        System.gc();
        System.out.println(kept() + " " + weak());
        forget();
        for (int i = 0; i < 50 && weak() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println(weak() == null);

        World w = new World();
        attempt("unbound", () -> w.registered(1));
        attempt("register", () -> register(World.class, "registered", "(I)I", 0));
        attempt("first", () -> w.registered(1));
        attempt("register", () -> register(World.class, "registered", "(I)I", 1));
        attempt("second", () -> w.registered(1));
        attempt("static", () -> register(World.class, "unbound", "(I)I", 0) + unbound(5));
        attempt("no such", () -> register(World.class, "registered", "(J)I", 0));
        attempt("not native", () -> register(World.class, "boom", "(I)I", 0));
        attempt("unregister", () -> unregister(World.class));
        attempt("unbound", () -> w.registered(1));
        attempt("missing", () -> {
            missing();
            return 0;
        });

        for (String name : new String[] {"java/util/ArrayList", "[I", "[[Ljava/util/List;", "World$Init", "java.lang.String", "no/Such", "Ljava/lang/String;", "int", "", "World$Fails", "World$Fails"})
            attempt("find " + name, () -> find(name));
        try {
            find("no/Such");
        } catch (NoClassDefFoundError e) {
            System.out.println("caused by " + e.getCause());
        }
        attempt("method", () -> id(0, World.class, "registered", "(I)I"));
        attempt("inherited", () -> id(0, World.class, "hashCode", "()I"));
        attempt("of an interface", () -> id(0, List.class, "size", "()I"));
        attempt("wrong kind", () -> id(1, World.class, "registered", "(I)I"));
        attempt("wrong type", () -> id(0, World.class, "boom", "(I)V"));
        attempt("no such", () -> id(0, World.class, "no such method at all", "()V"));
        attempt("constructor", () -> id(0, ArrayList.class, "<init>", "(I)V"));
        attempt("not inherited", () -> id(0, World.class, "<init>", "(I)V"));
        attempt("field", () -> id(2, World.class, "field", "I"));
        attempt("wrong type", () -> id(2, World.class, "field", "J"));
        attempt("wrong kind", () -> id(3, World.class, "field", "I"));
        attempt("no field", () -> id(2, World.class, "no such field at all", "I"));

        Object[] c = classes(ArrayList.class, List.class, new ArrayList<>());
        System.out.println(c[0] + " " + c[1] + " " + c[2]);
        c = classes(int[].class, Object.class, null);
        System.out.println(c[0] + " " + c[1] + " " + c[2]);
        c = classes(Runnable.class, World.class, "x");
        System.out.println(c[0] + " " + c[1] + " " + c[2]);
        c = classes(int.class, World.class, "x");
        System.out.println(c[0] + " " + c[1] + " " + c[2]);
        c = classes(World.class, World.class, "x");
        System.out.println(c[0] + " " + c[1] + " " + ((Module) c[2]).isNamed());
        c = reflected(World.class.getDeclaredMethod("boom", int.class), World.class.getDeclaredField("field"), ArrayList.class.getConstructor(int.class));
        System.out.println(c[0] + " " + c[1] + " " + c[2]);

        byte[] bytes = World.class.getResourceAsStream("/Loaded.class").readAllBytes();
        ClassLoader other = new ClassLoader(null) {};
        attempt("define", () -> define("Loaded", other, bytes).getClassLoader() == other);
        attempt("again", () -> {
            try {
                return define("Loaded", other, bytes);
            } catch (LinkageError e) {
                return e.getClass();
            }
        });
        attempt("another name", () -> define("Other", new ClassLoader(null) {}, bytes));
        attempt("no class", () -> define(null, other, new byte[10]));

        Object lock = new Object();
        attempt("enter", () -> monitor(lock, 1) + monitor(lock, 1));
        System.out.println(Thread.holdsLock(lock));
        attempt("exit", () -> monitor(lock, 0) + monitor(lock, 0));
        System.out.println(Thread.holdsLock(lock));
        attempt("not owned", () -> monitor(lock, 0));
        System.out.println(vm());

        int[] inside = new int[2];
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 10; j++)
                    guarded(lock, () -> {
                        inside[0]++;
                        Thread.yield();
                        inside[1] = Math.max(inside[1], inside[0]);
                        inside[0]--;
                    });
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println("at most " + inside[1] + " inside");
    }
}
