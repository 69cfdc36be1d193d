import java.util.*;
import java.util.stream.*;

/** ServiceLoader on the class path: order of the file, comments, laziness, broken providers, JDK services. */
public class Services {
    public interface Greeter { String greet(String n); default int weight() { return 1; } }
    public static class English implements Greeter { public English() { System.out.println("new English"); } public String greet(String n) { return "Hello " + n; } }
    public static class German implements Greeter { public String greet(String n) { return "Hallo " + n; } @Override public int weight() { return 5; } }
    public static class Broken implements Greeter { public Broken() { throw new IllegalStateException("broken"); } public String greet(String n) { return n; } }
    public static class NotOne { }
    public interface Nobody { }

    public static void main(String[] args) {
        ServiceLoader<Greeter> l = ServiceLoader.load(Greeter.class);
        Iterator<Greeter> it = l.iterator();
        for (int i = 0; i < 8; i++) {
            try {
                if (!it.hasNext()) { System.out.println("end"); break; }
                System.out.println(it.next().greet("you"));
            } catch (ServiceConfigurationError e) {
                System.out.println(e.getMessage() + (e.getCause() == null ? "" : " / " + e.getCause().getClass().getSimpleName()));
            }
        }
        System.out.println((l.iterator().next() == l.iterator().next()) + " " + l.findFirst().get().weight());
        l.reload();
        System.out.println(l.iterator().next().greet("again"));
        List<String> types = new ArrayList<>();
        Iterator<ServiceLoader.Provider<Greeter>> ps = ServiceLoader.load(Greeter.class, Services.class.getClassLoader()).stream().iterator();
        while (true) {
            try {
                if (!ps.hasNext()) break;
                types.add(ps.next().type().getSimpleName());
            } catch (ServiceConfigurationError e) {
                types.add("error");
            }
        }
        System.out.println(types);
        System.out.println(ServiceLoader.load(Nobody.class).findFirst().isPresent() + " " + ServiceLoader.load(Greeter.class, ClassLoader.getPlatformClassLoader()).findFirst().isPresent() + " " + ServiceLoader.loadInstalled(Greeter.class).iterator().hasNext());
        System.out.println(ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class, null).stream().map(p -> p.get().getScheme()).sorted().collect(Collectors.toList()));
        System.out.println(l.toString());
        Module m = Services.class.getModule();
        System.out.println(m.isNamed() + " " + m.canUse(Greeter.class) + " " + Object.class.getModule().getDescriptor().name() + " " + Object.class.getModule().isExported("java.lang") + " " + Object.class.getModule().isExported("jdk.internal.misc") + " " + Object.class.getModule().isOpen("java.lang") + " " + ModuleLayer.boot().findModule("java.base").isPresent() + " " + ModuleLayer.boot().findModule("no.such").isPresent());
        System.out.println(m.canRead(Object.class.getModule()) + " " + Object.class.getModule().getPackages().contains("java.util") + " " + Object.class.getModule().getDescriptor().requires().size() + " " + ModuleLayer.boot().findModule("java.logging").map(x -> x.getDescriptor().isOpen()).orElse(null) + " " + m.getLayer() + " " + Object.class.getModule().getAnnotations().length);
    }
}
