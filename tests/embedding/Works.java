import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Long work of the VM itself. Nothing here ends by itself. */
public class Works {
    static volatile int sink;

    /** So many constants of so many bytes. */
    static byte[] texts(int n, int length) {
        byte[] all = new byte[n * (3 + length)];
        Arrays.fill(all, (byte) 'x');
        for (int i = 0; i < n; i++) {
            int at = i * (3 + length);
            all[at] = 1;
            all[at + 1] = (byte) (length >> 8);
            all[at + 2] = (byte) length;
        }
        return all;
    }

    static int again(byte[] bytes) throws Exception {
        while (true) {
            sink += (int) new ClassFiles.Loader().define(bytes).getMethod("r").invoke(null);
        }
    }

    static int subroutines() throws Exception {
        byte[] code = new byte[8_000 * 4 + 2];
        for (int i = 0; i < 8_000; i++) {
            code[i * 4] = (byte) 168;
            code[i * 4 + 2] = 4;
        }
        code[32_000] = 3;
        code[32_001] = (byte) 172;
        return again(ClassFiles.made("M", 49, 60_000, 5, code, null));
    }

    /** Branches between two stack maps of many locals. */
    static int checks() throws Exception {
        int n = 4_000;
        byte[] code = new byte[4 * n + 2];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeShort(n);
        for (int i = 0; i < n; i++) {
            code[4 * i] = 3;
            code[4 * i + 1] = (byte) 153;
            code[4 * i + 3] = 3;
            if (i % 400 == 0) {
                d.writeByte(255);
                d.writeShort(i == 0 ? 4 : 3);
                d.writeShort(60_000);
                d.write(new byte[60_000]);
                d.writeShort(0);
            } else {
                d.writeByte(3);
            }
        }
        code[4 * n] = 3;
        code[4 * n + 1] = (byte) 172;
        return again(ClassFiles.made("M", 52, 1, 65_000, code, bytes.toByteArray()));
    }

    static int translates() throws Exception {
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
        return again(ClassFiles.made("M", 49, 2, 1, code, null));
    }

    static int parses() throws Exception {
        byte[] code = {3, (byte) 172};
        byte[] bytes = ClassFiles.made("M", 52, 1, 1, code, null, 20_000, texts(20_000, 100), new int[0]);
        bytes[bytes.length - 1] = 1;
        while (true) {
            try {
                new ClassFiles.Loader().define(bytes);
            } catch (ClassFormatError e) {
                sink++;
            }
        }
    }

    static int clones() {
        int[] a = new int[(int) (Runtime.getRuntime().maxMemory() / 20)];
        while (true) {
            sink += a.clone().length;
        }
    }

    static int multi() {
        while (true) {
            sink += new byte[60][30_000].length;
        }
    }

    static int interns() {
        String s = "x".repeat((int) (Runtime.getRuntime().maxMemory() / 8));
        while (true) {
            sink += s.intern().length();
        }
    }

    static int names() {
        String s = "x".repeat((int) (Runtime.getRuntime().maxMemory() / 16));
        while (true) {
            try {
                sink += Class.forName(s).getModifiers();
            } catch (ClassNotFoundException e) {
                sink++;
            }
        }
    }

    static byte[] noise(int n) {
        byte[] from = new byte[n];
        for (int i = 0; i < n; i += 7) {
            from[i] = (byte) (i * i >> 7);
        }
        return from;
    }

    static int deflates() {
        byte[] from = noise((int) (Runtime.getRuntime().maxMemory() / 8));
        byte[] packed = new byte[from.length];
        Deflater d = new Deflater(9);
        while (true) {
            d.reset();
            d.setInput(from);
            d.finish();
            sink += d.deflate(packed);
        }
    }

    static int inflates() throws Exception {
        byte[] packed = new byte[1 << 20];
        Deflater d = new Deflater(1);
        byte[] to = new byte[(int) (Runtime.getRuntime().maxMemory() / 4)];
        d.setInput(to);
        d.finish();
        int n = d.deflate(packed);
        while (true) {
            Inflater i = new Inflater();
            i.setInput(packed, 0, n);
            sink += i.inflate(to);
            i.end();
        }
    }

    static int deep(int n) {
        if (n > 0) {
            return deep(n - 1) + 1;
        }
        while (true) {
            sink += new Throwable().getStackTrace().length;
            StackWalker.getInstance().forEach(f -> sink++);
        }
    }

    static int traces() {
        return deep(3_000);
    }

    static int writes() throws Exception {
        byte[] bytes = new byte[(int) (Runtime.getRuntime().maxMemory() / 4)];
        try (java.io.FileOutputStream out = new java.io.FileOutputStream("/dev/null")) {
            while (true) {
                out.write(bytes);
            }
        }
    }

    static int reads() throws Exception {
        byte[] bytes = new byte[(int) (Runtime.getRuntime().maxMemory() / 4)];
        try (java.io.FileInputStream in = new java.io.FileInputStream("/dev/zero")) {
            while (true) {
                sink += in.read(bytes);
            }
        }
    }
}
