import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** A class that runs and goes with its loader: what profiles say of it must outlive it. */
public class Unloaded {
    public static class Guest implements Runnable {
        @Override
        public void run() {
            int sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += i;
            }
            System.out.println(sum);
        }
    }

    public static void main(String[] args) throws Exception {
        WeakReference<ClassLoader> loader = guest();
        for (int i = 0; i < 20 && loader.get() != null; i++) {
            System.gc();
        }
        System.out.println(loader.get() == null ? "gone" : "still there");
    }

    private static WeakReference<ClassLoader> guest() throws Exception {
        String path = System.getProperty("java.class.path");
        URL[] urls = {Path.of(path).toUri().toURL()};
        URLClassLoader loader = new URLClassLoader(urls, null);
        Class<?> guest = loader.loadClass("Unloaded$Guest");
        ((Runnable) guest.getConstructor().newInstance()).run();
        loader.close();
        return new WeakReference<>(loader);
    }
}
