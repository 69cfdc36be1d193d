import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Class files made by hand. */
class ClassFiles {
    /** The first constant that {@link #made} adds to its own. */
    static final int FIRST = 9;
    /** The class itself among the constants. */
    static final int ITSELF = 7;

    /** What defines them. */
    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    /** A class with a static method {@code r()I} of this code, and a StackMapTable if there is one. */
    static byte[] made(String name, int major, int stack, int locals, byte[] code, byte[] table) throws IOException {
        return made(name, major, stack, locals, code, table, 0, new byte[0], new int[0]);
    }

    /** The same with so many more constants, and with handlers of any exception: beginning, end, and where it is handled. */
    static byte[] made(String name, int major, int stack, int locals, byte[] code, byte[] table, int more, byte[] constants,
            int[] handlers) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeInt(0xcafebabe);
        d.writeInt(major);
        d.writeShort(FIRST + more);
        for (String text : new String[] {name, "java/lang/Object", "r", "()I", "Code", "StackMapTable"}) {
            d.writeByte(1);
            d.writeUTF(text);
        }
        d.write(new byte[] {7, 0, 1, 7, 0, 2});
        d.write(constants);
        for (int n : new int[] {0x21, ITSELF, 8, 0, 0, 1, 9, 3, 4, 1, 5}) {
            d.writeShort(n);
        }
        int tables = table == null ? 0 : 6 + table.length;
        d.writeInt(12 + code.length + handlers.length / 3 * 8 + tables);
        d.writeShort(stack);
        d.writeShort(locals);
        d.writeInt(code.length);
        d.write(code);
        d.writeShort(handlers.length / 3);
        for (int i = 0; i < handlers.length; i++) {
            d.writeShort(handlers[i]);
            if (i % 3 == 2) {
                d.writeShort(0);
            }
        }
        d.writeShort(table == null ? 0 : 1);
        if (table != null) {
            d.writeShort(6);
            d.writeInt(table.length);
            d.write(table);
        }
        d.writeShort(0);
        return bytes.toByteArray();
    }
}
