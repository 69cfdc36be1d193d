import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Classes with large tables of virtual methods, more than there is room for. */
public class ClassSpace {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    static byte[] named(String name, String parent, int methods) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeInt(0xCAFEBABE);
        d.writeInt(49);
        d.writeShort(6 + methods);
        for (String s : new String[] {name, parent, "()V"}) {
            d.writeByte(1);
            d.writeUTF(s);
        }
        for (int i = 1; i <= 2; i++) {
            d.writeByte(7);
            d.writeShort(i);
        }
        for (int i = 0; i < methods; i++) {
            d.writeByte(1);
            d.writeUTF("m" + i);
        }
        for (int v : new int[] {0x421, 4, 5, 0, 0, methods}) {
            d.writeShort(v);
        }
        for (int i = 0; i < methods; i++) {
            for (int v : new int[] {0x401, 6 + i, 3, 0}) {
                d.writeShort(v);
            }
        }
        d.writeShort(0);
        return bytes.toByteArray();
    }

    static String fill(int n) throws IOException {
        Loader l = new Loader();
        l.define(named("S", "java/lang/Object", 10_000));
        try {
            for (int i = 0; i < n; i++) {
                l.define(named("C" + i, "S", 0));
            }
        } catch (OutOfMemoryError e) {
            return e.toString();
        }
        return "all";
    }

    public static void main(String[] args) throws Throwable {
        System.out.println(fill(1000));
        System.out.println(fill(1000));
        for (int i = 0; i < 20; i++) {
            System.out.println(fill(10));
        }
    }
}
