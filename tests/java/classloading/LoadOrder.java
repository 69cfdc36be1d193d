import java.io.InputStream;
import java.util.*;

/** The order in which a loader is asked for supertypes, and what happens when one can't be found. */
public class LoadOrder {
    interface One { }
    interface Two extends One { }
    interface Three { }
    static class Base implements Three { }
    static class Derived extends Base implements Two, Three { }
    static class Uses { Derived field; Base method(One o) { return null; } }

    static class Asked extends ClassLoader {
        final List<String> asked = new ArrayList<>();
        final Set<String> missing;
        Asked(String... missing) { super(LoadOrder.class.getClassLoader()); this.missing = Set.of(missing); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("LoadOrder$")) return super.loadClass(name, resolve);
            String own = name.substring(10);
            asked.add(own);
            if (missing.contains(own)) throw new ClassNotFoundException("missing " + own);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try (InputStream in = LoadOrder.class.getResourceAsStream("/" + name + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void load(String name, String... missing) {
        Asked loader = new Asked(missing);
        try {
            Class<?> c = Class.forName("LoadOrder$" + name, true, loader);
            System.out.println(c.getSimpleName() + " " + loader.asked);
        } catch (Throwable t) {
            System.out.println(t + " / " + t.getCause() + " " + loader.asked);
        }
        try {
            loader.asked.clear();
            Class<?> again = loader.loadClass("LoadOrder$" + name);
            System.out.println(again.getSimpleName() + " " + again.getDeclaredMethods().length + " " + loader.asked);
        } catch (Throwable t) {
            System.out.println(t + " / " + t.getCause() + " " + loader.asked);
        }
    }

    public static void main(String[] args) {
        load("Derived");
        load("Two");
        load("Uses");
        load("Derived", "Base");
        load("Derived", "Two");
        load("Derived", "One");
        load("Derived", "Three");
        load("Uses", "One");
        load("Derived", "Derived");
    }
}
