import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;

/** Each method takes more and more of one thing, until it is refused. */
public class Bombs {
    static final List<Object> KEPT = new ArrayList<>();
    static int sink;

    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    /** A class with a static method {@code r()I} of this code. */
    static byte[] made(String name, int major, int maxStack, int maxLocals, byte[] code, byte[] table) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeInt(0xcafebabe);
        d.writeInt(major);
        d.writeShort(9);
        for (String text : new String[] {name, "java/lang/Object", "r", "()I", "Code", "StackMapTable"}) {
            d.writeByte(1);
            d.writeUTF(text);
        }
        d.write(new byte[] {7, 0, 1, 7, 0, 2});
        for (int n : new int[] {0x21, 7, 8, 0, 0, 1, 9, 3, 4, 1, 5}) {
            d.writeShort(n);
        }
        int tables = table == null ? 0 : 6 + table.length;
        d.writeInt(12 + code.length + tables);
        d.writeShort(maxStack);
        d.writeShort(maxLocals);
        d.writeInt(code.length);
        d.write(code);
        d.writeShort(0);
        d.writeShort(table == null ? 0 : 1);
        if (table != null) {
            d.writeShort(6);
            d.writeInt(table.length);
            d.write(table);
        }
        d.writeShort(0);
        return bytes.toByteArray();
    }

    static int run(byte[] bytes) throws Exception {
        Class<?> c = new Loader().define(bytes);
        KEPT.add(c);
        return (int) c.getMethod("r").invoke(null);
    }

    static void idle() {}

    static void heap() {
        while (true) {
            KEPT.add(new byte[1 << 16]);
        }
    }

    static int stack() {
        return 1 + stack();
    }

    static void buffers() {
        while (true) {
            KEPT.add(ByteBuffer.allocateDirect(1));
        }
    }

    static void compressors() {
        while (true) {
            KEPT.add(new Deflater());
        }
    }

    static void classes() throws Exception {
        byte[] code = new byte[20_000];
        code[19_998] = 3;
        code[19_999] = (byte) 172;
        for (int i = 0; ; i++) {
            KEPT.add(new Loader().define(made("C" + i, 49, 1, 1, code, null)));
        }
    }

    static void names() throws Exception {
        byte[] code = {3, (byte) 172};
        for (int i = 0; ; i++) {
            run(made("C" + i + "x".repeat(5000), 49, 1, 1, code, null));
        }
    }

    static void code() throws Exception {
        byte[] code = new byte[60_004];
        code[0] = 4;
        code[1] = 59;
        for (int i = 2; i < 60_002; i += 4) {
            code[i] = 26;
            code[i + 1] = 26;
            code[i + 2] = 96;
            code[i + 3] = 59;
        }
        code[60_002] = 26;
        code[60_003] = (byte) 172;
        for (int i = 0; ; i++) {
            run(made("T" + i, 49, 2, 1, code, null));
            for (int j = 0; j < 100_000; j++) {
                sink += j;
            }
        }
    }

    /** Stack maps of many locals that have nothing in common. */
    static void frames() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        int seed = 1;
        d.writeShort(40);
        for (int f = 0; f < 40; f++) {
            d.writeByte(255);
            d.writeShort(0);
            d.writeShort(65_000);
            for (int l = 0; l < 65_000; l++) {
                seed = seed * 1103515245 + 12345;
                d.writeByte((seed >>> 16) % 3);
            }
            d.writeShort(0);
        }
        byte[] code = new byte[50];
        code[48] = 3;
        code[49] = (byte) 172;
        run(made("F", 52, 1, 65_535, code, bytes.toByteArray()));
    }

    /** As many subroutines as there is room for, each called from within the one before. */
    static int subroutines() throws Exception {
        byte[] code = new byte[16_000 * 4 + 2];
        for (int i = 0; i < 16_000; i++) {
            code[i * 4] = (byte) 168;
            code[i * 4 + 2] = 4;
        }
        code[64_000] = 3;
        code[64_001] = (byte) 172;
        return run(made("J", 49, 60_000, 5, code, null));
    }

    static void a(int n) {
        if (n > 0) {
            a(n - 1);
            b(n - 1);
        }
    }

    static void b(int n) {
        if (n > 0) {
            a(n - 1);
            b(n - 1);
        }
    }

    static void contexts() {
        a(60);
    }

    static void folders() throws IOException {
        for (int i = 0; ; i++) {
            Files.createDirectory(Path.of("/rjvm/tmp/d" + i));
        }
    }

    static void content() throws IOException {
        try (FileOutputStream out = new FileOutputStream("/rjvm/tmp/content")) {
            while (true) {
                out.write(new byte[10_000]);
            }
        }
    }

    static void threads() {
        while (true) {
            Thread t = new Thread(() -> {
                try {
                    Thread.sleep(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    // it ends
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    static void descriptors() throws IOException {
        Path file = Files.createFile(Path.of("/rjvm/tmp/file"));
        while (true) {
            KEPT.add(new FileInputStream(file.toFile()));
        }
    }

    static void output() throws IOException {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        while (true) {
            out.write(new byte[10_000]);
        }
    }

    static void forever() {
        while (true) {
            sink++;
        }
    }
}
