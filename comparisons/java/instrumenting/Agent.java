import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Starts {@link Counting} in a class loader of its own, so that a program does not see the libraries that it uses. */
public final class Agent {
    private Agent() {
    }

    /** @param arguments the profile's file, how many methods the library has, and the class path, with commas between */
    public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
        String[] parts = arguments.split(",");
        String[] paths = parts[2].split(":");
        URL[] urls = new URL[paths.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = Path.of(paths[i]).toUri().toURL();
        }
        ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
        loader.loadClass("Counting").getMethod("start", String.class, String.class, Instrumentation.class)
            .invoke(null, parts[0], parts[1], instrumentation);
    }
}
