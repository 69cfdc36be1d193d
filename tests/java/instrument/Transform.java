import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayInputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.jar.JarFile;

/** Transformers: which class files they see, in which order, and what becomes of what they return. */
public class Transform {
    public static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static Path jar(String agent, String... classes) throws Exception {
        Map<String, byte[]> files = new TreeMap<>();
        for (String c : classes) {
            files.put(c, renamed(bytesOf("Transform$Moved"), "Transform$Moved", c));
        }
        List<String> permits = agent == null ? List.of() : List.of(OwnAgent.REDEFINE, OwnAgent.RETRANSFORM, OwnAgent.PREFIX);
        return OwnAgent.jar(agent, permits, files);
    }

    static byte[] bytesOf(String name) throws Exception {
        return OwnAgent.bytesOf(name);
    }

    /** A class file with a text of its constant pool replaced. */
    static byte[] renamed(byte[] file, String from, String to) throws Exception {
        return OwnAgent.renamed(file, text -> text.equals(from) ? to : text);
    }

    static List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** Writes down what it sees of this program's classes, and puts one text in the place of another. */
    static class Noting implements ClassFileTransformer {
        final String name, from, to;

        Noting(String name, String from, String to) {
            this.name = name;
            this.from = from;
            this.to = to;
        }

        @Override
        public byte[] transform(Module module, ClassLoader loader, String c, Class<?> old, ProtectionDomain domain, byte[] file) {
            if (c != null && !c.startsWith("Transform$Seen") && !c.startsWith("Moved") && !c.startsWith("java/util/zip/Checked")) {
                return null;
            }
            CodeSource source = domain == null ? null : domain.getCodeSource();
            log.add(name + ": " + c + " of " + (loader == null ? "boot" : loader.getClass().getSimpleName()) + " in "
                    + (module.isNamed() ? module.getName() : "unnamed " + (loader != null && module == loader.getUnnamedModule())) + (old == null ? "" : ", again " + old.getName())
                    + (source == null ? ", no source" : ", source") + (file.length > 100 ? "" : " short"));
            if (to == null) {
                throw new IllegalStateException("not caught");
            }
            try {
                return to.isEmpty() ? null : renamed(file, from, to);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void flush(String what) {
        System.out.println(what);
        for (String s : new ArrayList<>(log)) {
            System.out.println("  " + s);
        }
        log.clear();
    }

    public static class Moved {
        public static String text() {
            return "moved " + Moved.class.getClassLoader();
        }
    }

    static class SeenA {
        static String text() {
            return "alpha";
        }
    }

    static class SeenB {
        static String text() {
            return "alpha";
        }
    }

    static class SeenC {
        static String text() {
            return "alpha";
        }
    }

    static class SeenD {
        static String text() {
            return "alpha";
        }
    }

    static class SeenBefore {
        static String text() {
            return "alpha";
        }
    }

    static class SeenWhile {
        static int n = 5;
    }

    static class SeenBad {
        static int n = 5;
    }

    interface SeenProxy {
        void f();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(SeenBefore.text());
        Path own = jar("Transform");
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgent(own.toString());
        System.out.println(instrumentation.isRedefineClassesSupported() + " " + instrumentation.isRetransformClassesSupported()
                + " " + instrumentation.isNativeMethodPrefixSupported());
        order();
        again();
        kinds();
        nested();
        bad();
        searches();
        listed();
        sizes();
        Files.delete(own);
        vm.detach();
    }

    static void order() throws Exception {
        Noting first = new Noting("again one", "beta", "gamma");
        Noting second = new Noting("once one", "alpha", "beta");
        Noting third = new Noting("once two", "x", "");
        Noting fourth = new Noting("again two", "gamma", "delta");
        Noting fails = new Noting("fails", "alpha", null);
        instrumentation.addTransformer(first, true);
        instrumentation.addTransformer(second);
        instrumentation.addTransformer(fails, false);
        instrumentation.addTransformer(third);
        instrumentation.addTransformer(fourth, true);
        flush(SeenA.text());
        instrumentation.removeTransformer(fails);
        instrumentation.removeTransformer(first);
        flush(SeenB.text());
        instrumentation.retransformClasses(SeenA.class, SeenB.class, SeenBefore.class);
        flush(SeenA.text() + " " + SeenB.text() + " " + SeenBefore.text());
        instrumentation.addTransformer(first, true);
        instrumentation.retransformClasses(SeenA.class, SeenB.class, SeenBefore.class);
        flush(SeenA.text() + " " + SeenB.text() + " " + SeenBefore.text());
        instrumentation.redefineClasses(new java.lang.instrument.ClassDefinition(SeenBefore.class, bytesOf("Transform$SeenBefore")));
        flush(SeenBefore.text());
        for (Noting n : new Noting[] {first, second, third, fourth}) {
            System.out.print(instrumentation.removeTransformer(n) + " ");
        }
        flush(SeenC.text());
        try {
            instrumentation.addTransformer(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    static void again() throws Exception {
        Noting one = new Noting("one", "alpha", "omega");
        instrumentation.addTransformer(one, true);
        flush(SeenD.text());
        instrumentation.removeTransformer(one);
        instrumentation.retransformClasses(SeenD.class);
        flush(SeenD.text());
    }

    static void kinds() throws Exception {
        Noting all = new Noting("all", "x", "");
        instrumentation.addTransformer(all);
        // a class of the boot loader
        new java.util.zip.CheckedInputStream(new ByteArrayInputStream(new byte[1]), new java.util.zip.CRC32()).read();
        flush("boot");
        // a loader of its own, with a class whose name it gives and one whose name it does not
        class Own extends ClassLoader {
            Own() {
                super("own", null);
            }
            Class<?> define(String name, byte[] b) {
                return defineClass(name, b, 0, b.length);
            }
        }
        Own own = new Own();
        System.out.println(own.define("MovedOne", renamed(bytesOf("Transform$Moved"), "Transform$Moved", "MovedOne")).getName());
        System.out.println(own.define(null, renamed(bytesOf("Transform$Moved"), "Transform$Moved", "MovedTwo")).getName());
        flush("own loader");
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        System.out.println(lookup.defineClass(renamed(bytesOf("Transform$Moved"), "Transform$Moved", "MovedThree")).getName());
        flush("look-up");
        lookup.defineHiddenClass(renamed(bytesOf("Transform$Moved"), "Transform$Moved", "MovedFour"), true);
        Supplier<String> lambda = () -> "lambda";
        flush("hidden " + lambda.get());
        Proxy.newProxyInstance(own, new Class<?>[] {Runnable.class}, (InvocationHandler) (p, m, a) -> null);
        flush("proxy");
        instrumentation.removeTransformer(all);
    }

    static void nested() {
        ClassFileTransformer loads = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String c, Class<?> old, ProtectionDomain domain, byte[] file) {
                log.add("loads " + c);
                // its class is not shown to transformers
                if (c.equals("Transform$SeenProxy")) {
                    log.add("inside " + SeenWhile.n);
                }
                return null;
            }
        };
        instrumentation.addTransformer(loads);
        log.clear();
        SeenProxy.class.getName();
        SeenProxy p = () -> { };
        p.f();
        log.removeIf(s -> !s.contains("Transform"));
        flush("nested");
        instrumentation.removeTransformer(loads);
    }

    static void bad() {
        ClassFileTransformer bad = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String c, Class<?> old, ProtectionDomain domain, byte[] file) {
                return c.equals("Transform$SeenBad") ? new byte[] {1, 2, 3, 4, 5, 6, 7, 8} : null;
            }
        };
        instrumentation.addTransformer(bad);
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(SeenBad.n);
            } catch (Throwable t) {
                System.out.println(t);
            }
            instrumentation.removeTransformer(bad);
        }
    }

    static void searches() throws Exception {
        Path boot = jar(null, "MovedBoot"), system = jar(null, "MovedSystem");
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(boot.toFile()));
        instrumentation.appendToSystemClassLoaderSearch(new JarFile(system.toFile()));
        Class<?> a = Class.forName("MovedBoot"), b = Class.forName("MovedSystem");
        System.out.println(a.getMethod("text").invoke(null) + " " + (b.getClassLoader() == ClassLoader.getSystemClassLoader()));
        Noting n = new Noting("n", "moved \1", "shifted \1");
        instrumentation.addTransformer(n, true);
        instrumentation.retransformClasses(a, b);
        flush("" + a.getMethod("text").invoke(null));
        instrumentation.removeTransformer(n);
        Files.delete(boot);
        Files.delete(system);
    }

    static void listed() {
        List<Class<?>> all = Arrays.asList(instrumentation.getAllLoadedClasses());
        System.out.println(all.contains(Transform.class) + " " + all.contains(Object.class) + " " + all.contains(int[].class) + " "
                + all.contains(int.class));
        List<Class<?>> app = Arrays.asList(instrumentation.getInitiatedClasses(ClassLoader.getSystemClassLoader()));
        System.out.println(app.contains(Transform.class) + " " + app.contains(String.class) + " " + app.contains(int[].class));
        List<Class<?>> boot = Arrays.asList(instrumentation.getInitiatedClasses(null));
        System.out.println(boot.contains(Transform.class) + " " + boot.contains(String.class) + " " + boot.contains(int[].class));
    }

    static class Empty { }
    static class OneByte { byte b; }
    static class Mixed extends OneByte { long l; short s; Object o; boolean z; }
    static class More extends Mixed { char c; double d; int i; Object[] a; float f; byte b2; }
    static class Gaps extends More { byte x; short y; }

    static void sizes() {
        Object[] all = {new Object(), new Empty(), new OneByte(), new Mixed(), new More(), new Gaps(), "text", 1, 2L, 'c', (byte) 1, 1.5, new int[0],
            new int[3], new byte[5], new long[2], new Object[7], new boolean[17], new String[2][3], new ArrayList<>(), new java.util.HashMap<>(),
            new java.util.Date(), Collections.emptyList(), new java.math.BigInteger("5")};
        StringBuilder s = new StringBuilder();
        for (Object o : all) {
            s.append(instrumentation.getObjectSize(o)).append(' ');
        }
        System.out.println(s);
    }
}
