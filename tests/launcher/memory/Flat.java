import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes things that are dropped at once; prints the process's resident memory at 1/4, 1/2 and the end. */
public class Flat {
    static class Loader extends ClassLoader {
        Loader() {
            super(Flat.class.getClassLoader());
        }

        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    /** A class of its own name with a field, a method and a constant. */
    static byte[] named(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeInt(0xCAFEBABE);
        d.writeInt(49);
        d.writeShort(10);
        for (String s : new String[] {name, "java/lang/Object", "f" + name, "I", "m" + name, "()V"}) {
            d.writeByte(1);
            d.writeUTF(s);
        }
        d.writeByte(7);
        d.writeShort(1);
        d.writeByte(7);
        d.writeShort(2);
        d.writeByte(3);
        d.writeInt(name.hashCode());
        d.writeShort(0x421);
        d.writeShort(7);
        d.writeShort(8);
        d.writeShort(0);
        d.writeShort(1);
        for (int v : new int[] {9, 3, 4, 0}) {
            d.writeShort(v);
        }
        d.writeShort(1);
        for (int v : new int[] {0x401, 5, 6, 0}) {
            d.writeShort(v);
        }
        d.writeShort(0);
        return bytes.toByteArray();
    }

    static byte[] bytes(String name) throws IOException {
        try (InputStream in = Flat.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    public static class Used {
        public static int id(int i) {
            return i;
        }

        public static int lambda(int i) {
            java.util.function.IntUnaryOperator f = x -> x + 1;
            return f.applyAsInt(i);
        }
    }

    static void make(String kind, int i) throws Throwable {
        switch (kind) {
            case "classes" -> new Loader().define(named("Class" + i));
            case "hidden" -> MethodHandles.lookup().defineHiddenClass(HIDDEN, true);
            case "proxies" -> Proxy.newProxyInstance(new Loader(), new Class<?>[] {Runnable.class}, (p, m, a) -> null);
            case "lambdas" -> new Loader().define(USED).getMethod("lambda", int.class).invoke(null, i);
            case "accessors" -> {
                Method m = new Loader().define(USED).getMethod("id", int.class);
                for (int k = 0; k < 17; k++) {
                    m.invoke(null, k);
                }
            }
            case "threads" -> {
                Thread t = new Thread(() -> {});
                t.start();
                t.join();
            }
            case "strings" -> ("a string that is not like the others: " + i).intern();
            case "types" -> {
                Class<?>[] p = new Class<?>[20];
                for (int k = 0; k < p.length; k++) {
                    p[k] = (i >> k & 1) == 0 ? int.class : Object.class;
                }
                MethodType.methodType(void.class, p);
            }
            default -> throw new IllegalArgumentException(kind);
        }
    }

    static byte[] HIDDEN;
    static byte[] USED;

    public static void main(String[] args) throws Throwable {
        HIDDEN = bytes("Flat$Loader");
        USED = bytes("Flat$Used");
        int n = Integer.parseInt(args[1]);
        for (int i = 1; i <= n; i++) {
            make(args[0], i);
            if (i == n / 4 || i == n / 2 || i == n) {
                System.gc();
                for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                    if (line.startsWith("VmRSS")) {
                        System.out.println(line.replaceAll("\\D", ""));
                    }
                }
            }
        }
    }
}
