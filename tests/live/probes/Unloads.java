import java.io.InputStream;
import java.lang.ref.WeakReference;

/** A class that is loaded and forgotten, again and again. */
public class Unloads {
    /** What is loaded each time. */
    public static class Plugin implements Runnable {
        int rounds = 5;

        int round(int n) {
            return n + rounds;
        }

        public void run() {
            for (int i = 0; i < rounds; i++) {
                round(i);
            }
        }
    }

    /** Another class each time, which has numbers that others had. */
    public static class Other implements Runnable {
        String rounds = "two";

        int round(int n) {
            return n;
        }

        public void run() {
            round(1);
            round(2);
        }
    }

    static class Own extends ClassLoader {
        Class<?> define(String name) throws Exception {
            try (InputStream in = Unloads.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static WeakReference<Class<?>> once(String name) throws Exception {
        Class<?> c = new Own().define(name);
        ((Runnable) c.getDeclaredConstructor().newInstance()).run();
        return new WeakReference<>(c);
    }

    public static void main(String[] args) throws Exception {
        int unloaded = 0;
        for (int i = 0; i < 6; i++) {
            WeakReference<Class<?>> c = once(i % 2 == 0 ? "Unloads$Plugin" : "Unloads$Other");
            System.gc();
            if (c.get() == null) {
                unloaded++;
            }
        }
        System.out.println("unloaded " + unloaded);
    }
}
