import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;

/** Each method takes more and more of one thing, until it is refused. */
public class Bombs {
    static final List<Object> KEPT = new ArrayList<>();
    static int sink;

    static int run(byte[] bytes) throws Exception {
        Class<?> c = new ClassFiles.Loader().define(bytes);
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
            KEPT.add(new ClassFiles.Loader().define(ClassFiles.made("C" + i, 49, 1, 1, code, null)));
        }
    }

    static void names() throws Exception {
        byte[] code = {3, (byte) 172};
        for (int i = 0; ; i++) {
            run(ClassFiles.made("C" + i + "x".repeat(5000), 49, 1, 1, code, null));
        }
    }

    /** Many references to methods that are not there, whose names are long: each keeps its error. */
    static int errors() throws Exception {
        int n = 12_000;
        ByteArrayOutputStream constants = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(constants);
        d.writeByte(1);
        d.writeUTF("m".repeat(50_000));
        d.writeByte(1);
        d.writeUTF("()V");
        d.writeByte(12);
        d.writeShort(ClassFiles.FIRST);
        d.writeShort(ClassFiles.FIRST + 1);
        byte[] code = new byte[5 * n + 2];
        int[] handlers = new int[3 * n];
        for (int i = 0; i < n; i++) {
            d.writeByte(10);
            d.writeShort(ClassFiles.ITSELF);
            d.writeShort(ClassFiles.FIRST + 2);
            int method = ClassFiles.FIRST + 3 + i;
            byte[] call = {(byte) 184, (byte) (method >> 8), (byte) method, 1, 87};
            System.arraycopy(call, 0, code, 5 * i, 5);
            handlers[3 * i] = 5 * i;
            handlers[3 * i + 1] = 5 * i + 3;
            handlers[3 * i + 2] = 5 * i + 4;
        }
        code[5 * n] = 3;
        code[5 * n + 1] = (byte) 172;
        return run(ClassFiles.made("E".repeat(60_000), 49, 1, 0, code, null, n + 3, constants.toByteArray(), handlers));
    }

    /** Classes that have run, of which nothing is kept but what the profile says of them. */
    static void unloaded() throws Exception {
        byte[] code = {3, (byte) 172};
        for (int i = 0; ; i++) {
            byte[] bytes = ClassFiles.made("U" + i + "x".repeat(50_000), 49, 1, 1, code, null);
            sink += (int) new ClassFiles.Loader().define(bytes).getMethod("r").invoke(null);
        }
    }

    /** Threads that have ended. */
    static void ended() throws Exception {
        for (int i = 0; ; i++) {
            Thread t = new Thread(() -> sink++, i + "x".repeat(50_000));
            t.start();
            t.join();
        }
    }

    /** For probes. */
    static int probed(int n, String text) {
        return n == 0 ? 0 : probed(n - 1, text) + 1;
    }

    static void probes() {
        for (int i = 0; i < 20_000; i += 1000) {
            probed(1000, i + "x".repeat(150));
        }
    }

    /** Answers of the host. */
    static void recording() {
        File folder = new File("/rjvm/tmp");
        while (true) {
            sink += folder.list().length;
        }
    }

    /** Requests that fail. */
    static void faults() throws IOException {
        try (FileOutputStream out = new FileOutputStream("/rjvm/tmp/f")) {
            while (true) {
                try {
                    out.write(new byte[100]);
                } catch (IOException e) {
                    sink++;
                }
            }
        }
    }

    /** Mapped files, of which a recording keeps what has been seen. */
    static void mapped() throws IOException {
        Path file = Path.of("/rjvm/tmp/m");
        Files.write(file, new byte[400_000]);
        try (FileChannel channel = FileChannel.open(file)) {
            while (true) {
                MappedByteBuffer all = channel.map(FileChannel.MapMode.READ_ONLY, 0, 400_000);
                for (int i = 0; i < 400_000; i += 1000) {
                    sink += all.get(i);
                }
                KEPT.add(all);
            }
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
            run(ClassFiles.made("T" + i, 49, 2, 1, code, null));
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
        run(ClassFiles.made("F", 52, 1, 65_535, code, bytes.toByteArray()));
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
        return run(ClassFiles.made("J", 49, 60_000, 5, code, null));
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
