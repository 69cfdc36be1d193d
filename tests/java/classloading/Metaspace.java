import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A limit of class metadata: an error that can be caught, and room again when loaders are dropped. */
public class Metaspace {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }
    }

    static byte[] named(String name, int constants) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeInt(0xCAFEBABE);
        d.writeInt(49);
        d.writeShort(5 + constants);
        for (String s : new String[] {name, "java/lang/Object"}) {
            d.writeByte(1);
            d.writeUTF(s);
        }
        for (int i = 1; i <= 2; i++) {
            d.writeByte(7);
            d.writeShort(i);
        }
        for (int i = 0; i < constants; i++) {
            d.writeByte(3);
            d.writeInt(i);
        }
        for (int v : new int[] {0x21, 3, 4, 0, 0, 0, 0}) {
            d.writeShort(v);
        }
        return bytes.toByteArray();
    }

    static String fill(Loader l) throws IOException {
        try {
            for (int i = 0; i < 10_000; i++) {
                l.define(named("C" + i, 10_000));
            }
            return "no end";
        } catch (OutOfMemoryError e) {
            return e.toString();
        }
    }

    public static void main(String[] args) throws Throwable {
        for (int i = 0; i < 3; i++) {
            System.out.println(fill(new Loader()));
        }
        for (int i = 0; i < 2000; i++) {
            new Loader().define(named("D", 10_000));
        }
        System.out.println("dropped loaders leave room");
        Object[] soft = new Object[100];
        for (int i = 0; i < soft.length; i++) {
            Loader l = new Loader();
            l.define(named("E", 10_000));
            soft[i] = new java.lang.ref.SoftReference<>(l);
        }
        System.out.println(fill(new Loader()));
        int cleared = 0;
        for (Object s : soft) {
            cleared += ((java.lang.ref.SoftReference<?>) s).get() == null ? 1 : 0;
        }
        System.out.println("soft references cleared: " + cleared);
    }
}
