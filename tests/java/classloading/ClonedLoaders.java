import java.io.IOException;
import java.util.Base64;

/** A loader that is cloned: when it was new, and when it had defined something. */
public class ClonedLoaders {
    public static class Payload {
        static int hits;

        public static int hit() {
            return ++hits;
        }
    }

    static class L extends ClassLoader implements Cloneable {
        L() {
            super(ClonedLoaders.class.getClassLoader());
        }

        Class<?> define(byte[] b) {
            return defineClass(NAME, b, 0, b.length);
        }

        L copy() throws Exception {
            return (L) super.clone();
        }

        Class<?> loaded() {
            return findLoadedClass(NAME);
        }
    }

    static final String NAME = "ClonedLoaders$Payload";

    static byte[] payload() throws IOException {
        return ClonedLoaders.class.getResourceAsStream(NAME + ".class").readAllBytes();
    }

    interface Act {
        Object run() throws Exception;
    }

    static void show(String what, Act act) {
        Object r;
        try {
            r = act.run();
        } catch (Exception | LinkageError e) {
            r = e.getClass().getName() + ": " + e.getMessage().replaceAll("@[0-9a-f]+", "@N");
        }
        System.out.println(what + ": " + r);
    }

    static Object hit(Class<?> c) throws Exception {
        return c.getMethod("hit").invoke(null);
    }

    static void collect() {
        for (int i = 0; i < 5; i++) System.gc();
    }

    /** A copy of one that has defined a class. */
    static L used() throws Exception {
        L a = new L();
        Class<?> c = a.define(payload());
        hit(c);
        L b = a.copy();
        show("the copy has the class", () -> b.loaded() == c);
        show("of the copy", () -> b.loaded().getClassLoader() == b);
        show("defined again", () -> b.define(payload()));
        return b;
    }

    /** A copy of one that has been asked for a class only. */
    static L asked() throws Exception {
        L a = new L();
        a.loaded();
        return a.copy();
    }

    /** Loaders that come after others have gone. */
    static void others(L b) throws Exception {
        for (int i = 0; i < 40; i++) {
            L n = new L();
            Class<?> c = n.define(payload());
            hit(c);
            if (b.loaded() == c) throw new AssertionError("a stranger's class");
        }
    }

    static void follow(String what, L b) throws Exception {
        collect();
        others(b);
        collect();
        show(what + ", later", () -> b.loaded() == null);
        show(what + ", defines", () -> {
            Class<?> c = b.define(payload());
            return hit(c) + " " + (c.getClassLoader() == b) + " " + (b.loaded() == c);
        });
        collect();
        others(b);
        show(what + ", still", () -> b.loaded() == null ? null : hit(b.loaded()) + " " + (b.loaded().getClassLoader() == b));
        show(what + ", defines again", () -> b.define(payload()));
    }

    public static void main(String[] args) throws Exception {
        follow("used", used());
        follow("asked", asked());
        follow("new", new L().copy());
        L original = new L(), copy = original.copy();
        show("original", () -> original.define(payload()).getClassLoader() == original);
        show("copy", () -> copy.define(payload()).getClassLoader() == copy);
        show("both", () -> original.loaded() != copy.loaded() && hit(original.loaded()).equals(hit(copy.loaded())));
        ClassLoader[] array = {original, copy};
        show("array", () -> array.clone()[1] == copy);
    }
}
