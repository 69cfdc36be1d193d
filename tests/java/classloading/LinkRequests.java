import java.io.InputStream;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Which classes a loader is asked for, and in which order, while call sites and method handles are linked. */
public class LinkRequests {
    static class Tracing extends ClassLoader {
        Tracing() { super(LinkRequests.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            System.out.println("  asked for " + name);
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            if (!name.startsWith("LinkRequests")) return super.loadClass(name, resolve);
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) { throw new ClassNotFoundException(name, e); }
        }
    }
    public static class Concat implements Runnable { public void run() { int n = getClass().getName().length(); System.out.println("n" + n); System.out.println(n + "m" + n); } }
    public static class Lambda implements Runnable { public void run() { IntFunction<String> f = Integer::toString; Supplier<StringBuilder> s = StringBuilder::new; System.out.println(f.apply(7) + s.get().length()); Supplier<StringBuilder> again = StringBuilder::new; System.out.println(again.get()); } }
    public record Point(int x, String y) implements Runnable { public Point() { this(1, "p"); } public void run() { System.out.println(this + " " + equals(new Point()) + hashCode()); } }
    public static class Own implements Runnable { static String take(Concat c) { return "took"; } public void run() { java.util.function.Function<Concat, String> f = Own::take; System.out.println(f.apply(null)); } }

    public static void main(String[] args) throws Exception {
        System.out.println("warm" + args.length);
        Runnable warm = () -> System.out.println(new Point());
        warm.run();
        for (String name : new String[] {"Concat", "Lambda", "Point", "Own"}) {
            System.out.println(name);
            Runnable r = (Runnable) Class.forName("LinkRequests$" + name, true, new Tracing()).getDeclaredConstructor().newInstance();
            r.run();
        }
    }
}
