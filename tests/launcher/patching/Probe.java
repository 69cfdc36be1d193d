import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.security.CodeSource;
import java.util.Enumeration;

/** Says what can be seen of patched modules: `class NAME`, `call NAME`, `resource MODULE PATH`, `url PATH`. */
public class Probe {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < args.length; i += 2) {
            try {
                switch (args[i]) {
                    case "class" -> tellClass(Class.forName(args[i + 1]));
                    case "call" -> {
                        Method m = Class.forName(args[i + 1]).getMethod("call");
                        System.out.println("call " + m.invoke(null));
                    }
                    case "new" -> System.out.println("new " + Class.forName(args[i + 1]).getConstructor().newInstance());
                    case "resource" -> {
                        Module m = ModuleLayer.boot().findModule(args[i + 1]).orElseThrow();
                        tellResource(m, args[++i + 1]);
                    }
                    case "url" -> tellUrls(args[i + 1]);
                    default -> throw new IllegalArgumentException(args[i]);
                }
            } catch (Throwable t) {
                System.out.println(plain(t));
                for (Throwable c = t.getCause(); c != null; c = c.getCause()) System.out.println("  by " + c);
            }
        }
        System.out.println(new StringBuilder("done"));
    }

    /** Text without identity hashes. */
    static String plain(Object o) {
        return String.valueOf(o).replaceAll("@[0-9a-f]+", "@");
    }

    static void tellClass(Class<?> c) {
        CodeSource source = c.getProtectionDomain().getCodeSource();
        System.out.println(c + " in " + plain(c.getModule()) + " of " + plain(c.getClassLoader()) + " from "
            + (source == null ? null : source.getLocation()));
        System.out.println("  package " + c.getPackage() + ", exported " + c.getModule().isExported(c.getPackageName())
            + ", in module " + c.getModule().getPackages().contains(c.getPackageName())
            + ", in descriptor " + c.getModule().getDescriptor().packages().contains(c.getPackageName()));
        System.out.println("  file " + c.getResource(c.getSimpleName() + ".class"));
    }

    static void tellResource(Module m, String path) throws Exception {
        try (InputStream in = m.getResourceAsStream(path)) {
            System.out.println(m + " " + path + ": " + (in == null ? null : new String(in.readAllBytes()).trim()));
        }
    }

    static void tellUrls(String path) throws Exception {
        System.out.println(path + ": " + ClassLoader.getSystemResource(path));
        for (Enumeration<URL> e = ClassLoader.getSystemResources(path); e.hasMoreElements(); ) System.out.println("  " + e.nextElement());
        InputStream in = Probe.class.getResourceAsStream("/" + path);
        System.out.println("  " + (in == null ? null : new String(in.readAllBytes()).trim()));
    }
}
