import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What keeps classes loaded, and that nothing else does. */
public class Unloading {
    public static class Impl implements IntSupplier, Runnable {
        static int calls;
        static Object kept;
        int own = 7;

        public int getAsInt() {
            return own + ++calls;
        }

        public static int twice(int i) {
            return 2 * i;
        }

        public void run() {
            collect();
            System.out.println("  running: " + twice(own) + " " + new Other().text());
        }

        public static void fail() {
            throw new IllegalStateException("thrown");
        }

        public static Supplier<String> lambda(String s) {
            return () -> s + twice(4);
        }

        public static class Inner {}
    }

    public static class Other {
        public String text() {
            return "other";
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(Unloading.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Unloading$Impl") && !name.startsWith("Unloading$Other")) {
                return super.loadClass(name, resolve);
            }
            synchronized (this) {
                Class<?> c = findLoadedClass(name);
                if (c == null) {
                    byte[] b = bytes(name);
                    c = defineClass(name, b, 0, b.length);
                }
                return c;
            }
        }

        Class<?> impl() throws Exception {
            return loadClass("Unloading$Impl");
        }
    }

    static byte[] bytes(String name) {
        try (InputStream in = Unloading.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        } catch (java.io.IOException e) {
            throw new RuntimeException(e);
        }
    }

    interface Keeper {
        Object of(Class<?> impl) throws Throwable;
    }

    public static void collect() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
    }

    static WeakReference<ClassLoader> loader;
    static Object holder;

    static void fill(Keeper k) throws Throwable {
        Loader l = new Loader();
        loader = new WeakReference<>(l);
        holder = k.of(l.impl());
    }

    static void kept(String by, Keeper k) throws Throwable {
        fill(k);
        collect();
        boolean whileHeld = loader.get() != null;
        holder = null;
        collect();
        System.out.println(by + ": " + whileHeld + ", then " + (loader.get() != null));
    }

    static int sum(IntSupplier s) {
        return s.getAsInt();
    }

    static String trace;

    public static void main(String[] args) throws Throwable {
        kept("nothing", c -> null);
        kept("mirror", c -> c);
        kept("instance", c -> c.getDeclaredConstructor().newInstance());
        kept("loader", Class::getClassLoader);
        kept("array class", c -> Array.newInstance(c, 0).getClass());
        kept("array", c -> Array.newInstance(c, 2, 3));
        kept("another class of the loader", c -> c.getClassLoader().loadClass("Unloading$Other"));
        kept("method", c -> c.getMethod("twice", int.class));
        kept("method that was called", c -> {
            Method m = c.getMethod("twice", int.class);
            for (int i = 0; i < 40; i++) {
                m.invoke(null, i);
            }
            return m;
        });
        kept("accessors, used and dropped", c -> {
            Method m = c.getMethod("twice", int.class);
            for (int i = 0; i < 40; i++) {
                m.invoke(null, i);
            }
            return null;
        });
        kept("method handle", c -> MethodHandles.lookup().findStatic(c, "twice",
            MethodType.methodType(int.class, int.class)));
        kept("bound handle", c -> {
            MethodHandle h = MethodHandles.lookup().findStatic(c, "twice", MethodType.methodType(int.class, int.class));
            h = MethodHandles.insertArguments(h, 0, 21);
            System.out.println("  " + (int) h.invoke());
            return h;
        });
        kept("lambda", c -> {
            Object s = c.getMethod("lambda", String.class).invoke(null, "x");
            System.out.println("  " + ((Supplier<?>) s).get());
            return s;
        });
        kept("method type", c -> MethodType.methodType(c));
        kept("exception", c -> {
            try {
                c.getMethod("fail").invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                return e.getCause();
            }
            return null;
        });
        fill(c -> {
            try {
                c.getMethod("fail").invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                return e.getCause();
            }
            return null;
        });
        collect();
        System.out.println(((Throwable) holder).getStackTrace()[0]);
        holder = null;
        kept("its own static", c -> {
            var f = c.getDeclaredField("kept");
            f.setAccessible(true);
            f.set(null, c.getDeclaredConstructor().newInstance());
            return null;
        });
        kept("thread's context loader", c -> {
            Thread t = new Thread(() -> {});
            t.setContextClassLoader(c.getClassLoader());
            return t;
        });
        kept("proxy", c -> Proxy.newProxyInstance(c.getClassLoader(), new Class<?>[] {Runnable.class},
            (p, m, a) -> null));
        kept("class value", c -> new ClassValue<Object>() {
            @Override
            protected Object computeValue(Class<?> k) {
                return new Object();
            }
        }.get(c));

        System.out.println("a frame");
        fill(c -> null);
        frame();
        collect();
        System.out.println("  then " + (loader.get() != null));

        phantoms();
        hidden();
        callSite();
    }

    static void frame() throws Throwable {
        Loader l = new Loader();
        loader = new WeakReference<>(l);
        Runnable r = (Runnable) l.impl().getDeclaredConstructor().newInstance();
        l = null;
        r.run();
    }

    static void phantoms() throws Throwable {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        List<PhantomReference<Object>> refs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Loader l = new Loader();
            refs.add(new PhantomReference<>(l, queue));
            refs.add(new PhantomReference<>(l.impl(), queue));
        }
        collect();
        int n = 0;
        while (queue.remove(1000) != null && ++n < refs.size()) {}
        System.out.println("phantoms: " + n);
    }

    static void hidden() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        byte[] b = bytes("Unloading$Other");
        Class<?> weak = lookup.defineHiddenClass(b, true).lookupClass();
        Class<?> strong = lookup.defineHiddenClass(b, true, MethodHandles.Lookup.ClassOption.STRONG).lookupClass();
        Object o = lookup.defineHiddenClass(b, true).lookupClass().getDeclaredConstructor().newInstance();
        WeakReference<Class<?>> w = new WeakReference<>(weak);
        WeakReference<Class<?>> s = new WeakReference<>(strong);
        WeakReference<Class<?>> i = new WeakReference<>(o.getClass());
        weak = strong = null;
        collect();
        System.out.println("hidden: " + (w.get() != null) + " " + (s.get() != null) + " " + (i.get() != null));
        System.out.println(((Object) o).getClass().getMethod("text").invoke(o));
        o = null;
        collect();
        System.out.println("hidden: " + (i.get() != null));
    }

    /** One call, ever new receiver classes whose numbers are used again. */
    static void callSite() throws Throwable {
        int sum = 0;
        for (int i = 0; i < 120; i++) {
            Object o = new Loader().impl().getDeclaredConstructor().newInstance();
            for (int k = 0; k < 3; k++) {
                sum += sum((IntSupplier) o);
            }
            if (i % 10 == 0) {
                o = null;
                collect();
            }
        }
        System.out.println("calls: " + sum);
    }
}
