import java.io.*;
import java.lang.reflect.*;
import java.util.*;

/** Class loaders of our own: delegation, name spaces, casts between them, define twice, parents, packages, unloaded nothing. */
public class Loaders {
    public interface Task { String run(); }
    public static class Impl implements Task {
        static int count;
        public String run() { return "run " + ++count + " by " + (getClass().getClassLoader() instanceof Isolated i ? i.name : "app"); }
    }
    public static class Uses { public static Object make() { return new Impl(); } public static boolean is(Object o) { return o instanceof Impl; } }

    static byte[] bytes(String name) throws IOException {
        try (InputStream in = Loaders.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) { return in.readAllBytes(); }
    }

    public static class Isolated extends ClassLoader {
        public final String name;
        final Set<String> own;
        final List<String> asked = new ArrayList<>();
        Isolated(String name, ClassLoader parent, String... own) { super(name, parent); this.name = name; this.own = Set.of(own); }
        @Override protected Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            asked.add(n);
            if (!own.contains(n)) return super.loadClass(n, resolve);
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                try {
                    byte[] b = bytes(n);
                    return defineClass(n, b, 0, b.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(n, e);
                }
            }
        }
        Class<?> define(String n, byte[] b, int len) { return defineClass(n, b, 0, len); }
    }

    interface Body { Object run() throws Throwable; }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (Throwable t) {
            System.out.println(what + " -> " + t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@HASH"));
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader app = Loaders.class.getClassLoader();
        Isolated a = new Isolated("a", app, "Loaders$Impl", "Loaders$Uses"), b = new Isolated("b", app, "Loaders$Impl");
        Class<?> ia = a.loadClass("Loaders$Impl"), ib = b.loadClass("Loaders$Impl");
        System.out.println((ia == ib) + " " + (ia == Impl.class) + " " + ia.getName().equals(ib.getName()) + " " + (ia.getClassLoader() == a) + " " + (a.loadClass("Loaders$Impl") == ia) + " " + (a.loadClass("Loaders$Task") == Task.class) + " " + (a.loadClass("java.lang.String") == String.class));
        Task ta = (Task) ia.getDeclaredConstructor().newInstance(), tb = (Task) ib.getDeclaredConstructor().newInstance(), tc = new Impl();
        System.out.println(ta.run() + ", " + ta.run() + ", " + tb.run() + ", " + tc.run());
        show("cast", () -> (Impl) (Object) ta);
        System.out.println((ta instanceof Impl) + " " + ia.isInstance(ta) + " " + ia.isInstance(tb) + " " + ia.isAssignableFrom(ib) + " " + Task.class.isAssignableFrom(ia));
        Class<?> uses = a.loadClass("Loaders$Uses");
        Object made = uses.getMethod("make").invoke(null);
        System.out.println((made.getClass() == ia) + " " + uses.getMethod("is", Object.class).invoke(null, ta) + " " + uses.getMethod("is", Object.class).invoke(null, tc) + " " + Uses.is(made) + " " + (Array.newInstance(ia, 1).getClass().getClassLoader() == a));
        show("not found", () -> a.loadClass("no.such.Type"));
        show("forName", () -> Class.forName("no.Such", true, a));
        show("array name", () -> Class.forName("[[LLoaders$Impl;", false, b).getComponentType().getComponentType() == ib);
        show("loadClass array", () -> a.loadClass("[LLoaders$Impl;"));
        show("primitive", () -> Class.forName("int"));
        show("slashes", () -> Class.forName("java/lang/String"));
        byte[] impl = bytes("Loaders$Impl");
        show("twice", () -> a.define("Loaders$Impl", impl, impl.length));
        show("wrong name", () -> a.define("Other", impl, impl.length));
        show("null name", () -> new Isolated("c", app).define(null, impl, impl.length).getName());
        show("truncated", () -> new Isolated("c", app).define("Loaders$Impl", impl, 50));
        show("magic", () -> new Isolated("c", app).define("X", new byte[20], 20));
        show("java package", () -> new Isolated("c", app).define("java.lang.Mine", impl, impl.length));
        show("version", () -> { byte[] v = impl.clone(); v[7] = 99; return new Isolated("c", app).define("Loaders$Impl", v, v.length); });
        show("range", () -> new Isolated("c", app).define("Loaders$Impl", impl, impl.length + 1));
        show("no parent", () -> new Isolated("root", null, "Loaders$Impl").loadClass("Loaders$Impl").getMethods().length);
        System.out.println(a.getName() + " " + (a.getParent() == app) + " " + String.class.getClassLoader() + " " + app.getName() + " " + app.getParent().getName() + " " + app.getParent().getParent() + " " + (ClassLoader.getSystemClassLoader() == app) + " " + a.asked.subList(0, 3));
        System.out.println(ia.getPackage().getName().isEmpty() + " " + a.getUnnamedModule().isNamed() + " " + (ia.getModule() == a.getUnnamedModule()) + " " + (ia.getNestHost() == ia) + " " + Modifier.toString(ia.getModifiers()) + " " + (ia.getProtectionDomain().getCodeSource() == null) + " " + (Loaders.class.getProtectionDomain().getCodeSource() != null));
        Thread t = new Thread(() -> System.out.println(Thread.currentThread().getContextClassLoader() == a));
        t.setContextClassLoader(a);
        t.start();
        t.join();
    }
}
