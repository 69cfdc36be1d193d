import java.io.*;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.CountDownLatch;
import java.util.zip.*;

/** What `tests/launcher/os.rs` runs: programs whose surroundings matter. */
public class Outside {
    interface Attempt { Object run() throws Exception; }

    static void attempt(String what, Attempt a) {
        try {
            System.out.println(what + " " + a.run());
        } catch (Throwable t) {
            System.out.println(what + " " + t);
        }
    }

    static int deep(int n) {
        return n == 0 ? 0 : deep(n - 1) + 1;
    }

    /** Without end, as far as a test is concerned: each call has a context of its own. */
    static int even(int n, int depth) {
        return depth == 0 ? n : odd(n / 2, depth - 1) + even(n / 2 + 1, depth - 1);
    }

    static int odd(int n, int depth) {
        return depth == 0 ? n : even(n / 2 + 7, depth - 1) + odd(n / 3, depth - 1);
    }

    static void signal(String name) throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        sun.misc.Signal.handle(new sun.misc.Signal(name), s -> {
            System.out.println("got " + s);
            arrived.countDown();
        });
        System.out.println("ready");
        arrived.await();
    }

    static void large(String file) {
        attempt("large", () -> {
            try (FileOutputStream f = new FileOutputStream(file)) {
                for (int i = 0; i < 100; i++) f.write(new byte[65536]);
            }
            return "written";
        });
    }

    static FileDescriptor descriptor(int number) throws Exception {
        FileDescriptor d = new FileDescriptor();
        Field fd = FileDescriptor.class.getDeclaredField("fd");
        fd.setAccessible(true);
        fd.setInt(d, number);
        return d;
    }

    static void forged() {
        for (int n : new int[] {3, 9, 77, 99999, -5, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            attempt("write " + n, () -> { new FileOutputStream(descriptor(n)).write(65); return "done"; });
            attempt("read " + n, () -> new FileInputStream(descriptor(n)).read());
            attempt("channel " + n, () -> new FileOutputStream(descriptor(n)).getChannel().write(ByteBuffer.allocate(3)));
            attempt("size " + n, () -> new FileInputStream(descriptor(n)).getChannel().size());
            attempt("sync " + n, () -> { descriptor(n).sync(); return "done"; });
            attempt("map " + n, () -> new FileInputStream(descriptor(n)).getChannel().map(FileChannel.MapMode.READ_ONLY, 0, 1));
        }
        System.out.println("standard " + FileDescriptor.out.valid());
    }

    /** Natives that take a direct buffer as it is. */
    static void cut() throws Exception {
        File file = File.createTempFile("cut", null);
        file.deleteOnExit();
        try (RandomAccessFile r = new RandomAccessFile(file, "rw"); RandomAccessFile other = new RandomAccessFile("/dev/null", "rw"); RandomAccessFile zero = new RandomAccessFile("/dev/zero", "r")) {
            r.setLength(1 << 16);
            MappedByteBuffer m = r.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
            r.setLength(0);
            attempt("crc", () -> { CRC32 c = new CRC32(); c.update(m.duplicate()); return c.getValue(); });
            attempt("adler", () -> { Adler32 c = new Adler32(); c.update(m.duplicate()); return c.getValue(); });
            attempt("inflate from", () -> { Inflater i = new Inflater(); i.setInput(m.duplicate()); return i.inflate(new byte[10]); });
            attempt("inflate to", () -> { Inflater i = new Inflater(); i.setInput(compressed()); return i.inflate(m.duplicate()); });
            attempt("deflate from", () -> { Deflater d = new Deflater(); d.setInput(m.duplicate()); return d.deflate(new byte[100]); });
            attempt("deflate to", () -> { Deflater d = new Deflater(); d.setInput(new byte[100]); d.finish(); return d.deflate(m.duplicate()); });
            attempt("write", () -> other.getChannel().write(m.duplicate()));
            attempt("write at", () -> other.getChannel().write(m.duplicate(), 0));
            attempt("gather", () -> other.getChannel().write(new ByteBuffer[] {ByteBuffer.allocateDirect(3), m.duplicate()}));
            attempt("read", () -> zero.getChannel().read((ByteBuffer) m.duplicate().put(0, (byte) 1)));
            attempt("define", () -> new ClassLoader() { Class<?> it() { return defineClass("X", m.duplicate(), null); } }.it());
            attempt("still", () -> "alive");
        }
    }

    static byte[] compressed() {
        Deflater d = new Deflater();
        d.setInput("some text to be seen again".getBytes());
        d.finish();
        byte[] b = new byte[100];
        return java.util.Arrays.copyOf(b, d.deflate(b));
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "hello" -> System.out.println("hello");
            case "deep" -> System.out.println(deep(20_000_000));
            case "contexts" -> System.out.println(even(12345, 40));
            case "load" -> attempt(args[1], () -> Class.forName(args[1], true, null));
            case "error" -> {
                System.out.println("nobody reads this");
                System.err.println("error " + System.out.checkError());
                attempt("x", () -> { new FileOutputStream("opened").write(1); return ""; });
            }
            case "signal" -> signal(args[1]);
            case "large" -> large(args[1]);
            case "forged" -> forged();
            case "cut" -> cut();
        }
    }
}
