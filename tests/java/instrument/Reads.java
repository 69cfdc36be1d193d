import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.jar.JarFile;

/** A module whose classes agents change reads the unnamed modules of the boot loader and of the application's. */
public class Reads {
    static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    /** What a class of java.base calls instead of its own class of this name. */
    public static class Objects {
        public static int calls;

        public static <T> T requireNonNull(T object, String message) {
            calls++;
            return object;
        }
    }

    static class Changes implements ClassFileTransformer {
        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] file) {
            try {
                if (name.equals("java/util/StringJoiner")) {
                    return OwnAgent.renamed(file, text -> text.equals("java/util/Objects") ? "own/Objects" : text);
                }
                return name.equals("java/util/logging/MemoryHandler") ? file.clone() : null;
            } catch (Exception e) {
                e.printStackTrace();
                return null;
            }
        }
    }

    static void show(String when, Module boot) {
        Module application = ClassLoader.getSystemClassLoader().getUnnamedModule();
        for (String name : new String[] {"java.base", "java.logging", "java.xml"}) {
            Module module = ModuleLayer.boot().findModule(name).get();
            System.out.println(when + ": " + name + " reads " + module.canRead(boot) + " " + module.canRead(application));
        }
    }

    public static void main(String[] args) throws Exception {
        OwnAgent.attach("Reads", null, OwnAgent.REDEFINE, OwnAgent.RETRANSFORM);
        byte[] file = OwnAgent.renamed(OwnAgent.bytesOf("Reads$Objects"), text -> text.replace("Reads$Objects", "own/Objects"));
        Path jar = OwnAgent.jar(null, List.of(), Map.of("own/Objects", file));
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar.toFile()));
        Class<?> own = Class.forName("own.Objects", false, null);
        Module boot = own.getModule();
        instrumentation.addTransformer(new Changes(), true);
        show("first", boot);
        Class.forName("java.util.logging.MemoryHandler", false, null);
        show("defined", boot);
        instrumentation.retransformClasses(StringJoiner.class);
        show("redefined", boot);
        System.out.println(new StringJoiner("-").add("a").add("b") + " " + (own.getField("calls").getInt(null) > 0));
        Files.delete(jar);
    }
}
