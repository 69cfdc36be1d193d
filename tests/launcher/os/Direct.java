import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

import static java.nio.file.StandardOpenOption.*;

/** Files opened for direct transfers: blocks that are aligned in memory and in the file, and what is said of others. */
public class Direct {
    interface Act {
        Object run() throws Exception;
    }

    static final OpenOption DIRECT = ExtendedOpenOption.DIRECT;
    static int block;
    static Path file;

    static void show(String what, Act act) {
        Object r;
        try {
            r = act.run();
        } catch (Exception e) {
            r = e;
        }
        System.out.println(what + ": " + String.valueOf(r).replace("" + block, "BLOCK"));
    }

    /** Memory of so many blocks, at the start of a block. */
    static ByteBuffer aligned(int blocks) {
        return ByteBuffer.allocateDirect((blocks + 1) * block - 1).alignedSlice(block).limit(blocks * block);
    }

    static ByteBuffer filled(int blocks, int with) {
        ByteBuffer b = aligned(blocks);
        for (int i = 0; i < b.limit(); i++) b.put(i, (byte) (with + i / 7));
        return b;
    }

    static ByteBuffer[] many(int... sizes) {
        ByteBuffer[] v = new ByteBuffer[sizes.length];
        for (int i = 0; i < v.length; i++) v[i] = filled(sizes[i], 10 * i);
        return v;
    }

    static String blocks(long n) {
        return n % block == 0 ? n / block + " blocks" : n + " bytes";
    }

    static int sum(ByteBuffer b) {
        int s = 0;
        for (int i = 0; i < b.limit(); i++) s = s * 31 + b.get(i);
        return s;
    }

    static void writes() throws IOException {
        try (FileChannel c = FileChannel.open(file, WRITE, DIRECT)) {
            show("one", () -> blocks(c.write(filled(1, 1))));
            show("many", () -> blocks(c.write(many(1, 2, 1))));
            show("many from the second", () -> blocks(c.write(many(1, 1, 1, 1), 1, 2)));
            show("none", () -> blocks(c.write(aligned(1).limit(0))));
            show("one at a place", () -> blocks(c.write(filled(2, 3), 7L * block)) + " " + blocks(c.position()));
            show("heap memory", () -> blocks(c.write(ByteBuffer.wrap(new byte[block]))));
            show("heap memory, many", () -> blocks(c.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[block]), filled(1, 5)})));
            show("more than is moved at once", () -> blocks(c.write(filled(700, 9), 16L * block)));
            show("many after these", () -> blocks(c.write(many(1, 300, 299))));
            show("a part of a block", () -> blocks(c.write(aligned(1).limit(block - 1))));
            show("a part of a block, many", () -> blocks(c.write(new ByteBuffer[] {filled(1, 0), aligned(1).limit(block / 2 + 1)})));
            show("not aligned", () -> blocks(c.write(aligned(2).position(1).limit(block + 1))));
            show("not aligned, many", () -> blocks(c.write(new ByteBuffer[] {filled(1, 0), aligned(2).position(1).limit(block + 1)})));
            show("a place within a block", () -> blocks(c.write(filled(1, 1), 1)));
            c.position(5);
            show("a position within a block", () -> blocks(c.write(filled(1, 1))));
            show("a position within a block, many", () -> blocks(c.write(many(1, 1))));
            show("heap memory, a part", () -> blocks(c.position(0).write(ByteBuffer.wrap(new byte[block - 1]))));
            show("size", () -> blocks(c.size()));
            show("position", () -> blocks(c.position()));
        }
    }

    static void reads() throws IOException {
        try (FileChannel c = FileChannel.open(file, READ, DIRECT)) {
            show("read one", () -> blocks(c.read(aligned(1))));
            show("scattered", () -> {
                ByteBuffer[] v = {aligned(1), aligned(2), aligned(1)};
                long n = c.read(v);
                return blocks(n) + " " + sum(v[0]) + " " + sum(v[1]) + " " + sum(v[2]);
            });
            show("into heap memory", () -> {
                ByteBuffer b = ByteBuffer.allocate(2 * block);
                return blocks(c.read(b, 7L * block)) + " " + sum(b);
            });
            show("all", () -> {
                ByteBuffer b = aligned(900);
                return blocks(c.read(b, 0)) + " " + sum(b);
            });
            show("a part", () -> blocks(c.read(aligned(1).limit(100))));
            show("not aligned", () -> blocks(c.read(aligned(2).position(1).limit(block + 1))));
            show("a part, scattered", () -> blocks(c.read(new ByteBuffer[] {aligned(1), aligned(1).limit(3)})));
            show("within a block", () -> blocks(c.read(aligned(1), 3)));
            show("into heap memory, a part", () -> blocks(c.read(ByteBuffer.allocate(block + 5))));
            show("position", () -> blocks(c.position()));
            c.position(c.size());
            show("at the end", () -> c.read(aligned(1)));
            show("at the end, scattered", () -> c.read(new ByteBuffer[] {aligned(1), aligned(1)}));
            show("behind the end", () -> c.read(aligned(1), c.size() + block));
            show("write to it", () -> c.write(aligned(1)));
        }
    }

    static void mapped() throws IOException {
        Path other = Files.createTempFile(Path.of("."), "mapped", null);
        try (FileChannel m = FileChannel.open(other, READ, WRITE); FileChannel c = FileChannel.open(file, READ, WRITE, DIRECT)) {
            m.write(filled(3, 50));
            MappedByteBuffer map = m.map(FileChannel.MapMode.READ_WRITE, 0, 3L * block);
            show("from mapped memory", () -> blocks(c.write(map, 0)));
            show("many from mapped memory", () -> blocks(c.write(new ByteBuffer[] {map.rewind().limit(block), filled(1, 1)})));
            show("into mapped memory", () -> {
                map.clear();
                map.put(0, (byte) 1);
                return blocks(c.read(map, 0)) + " " + sum(map);
            });
            show("itself mapped", () -> {
                ByteBuffer b = c.map(FileChannel.MapMode.READ_ONLY, 0, 3L * block);
                return sum(b);
            });
        }
        Files.delete(other);
    }

    static void transfers() throws IOException {
        Path other = Files.createTempFile(Path.of("."), "other", null);
        try (FileChannel d = FileChannel.open(file, READ, WRITE, DIRECT); FileChannel o = FileChannel.open(other, READ, WRITE)) {
            show("to another", () -> blocks(d.transferTo(0, 2L * block, o)) + " " + blocks(o.position()));
            show("to another, a part", () -> blocks(d.transferTo(0, block + 100, o)));
            show("to another, from within a block", () -> blocks(d.transferTo(10, block, o)));
            show("from another", () -> blocks(d.transferFrom(o.position(0), 0, block)));
            show("from another, a part", () -> blocks(d.transferFrom(o.position(0), 0, 100)));
            show("from another, within a block", () -> blocks(d.transferFrom(o.position(0), 10, block)));
            show("to it", () -> blocks(o.transferTo(0, block, d.position(0))));
            show("to it, a part", () -> blocks(o.transferTo(0, 100, d.position(0))));
            show("to it, from within a block", () -> blocks(o.transferTo(3, block, d.position(0))));
            show("from it", () -> blocks(o.transferFrom(d.position(0), 0, 2L * block)));
            show("from it, a part", () -> blocks(o.transferFrom(d.position(0), 0, 100)));
            show("from it, within a block", () -> blocks(o.transferFrom(d.position(5), 0, block)));
            show("to a stream", () -> blocks(d.transferTo(0, block, Channels.newChannel(new java.io.ByteArrayOutputStream()))));
            show("from a stream", () -> blocks(d.transferFrom(Channels.newChannel(new java.io.ByteArrayInputStream(new byte[block])), 0, block)));
            show("from a stream, a part", () -> blocks(d.transferFrom(Channels.newChannel(new java.io.ByteArrayInputStream(new byte[100])), 0, 100)));
        }
        Files.delete(other);
    }

    static void others() throws IOException {
        show("appended", () -> {
            try (FileChannel c = FileChannel.open(file, APPEND, DIRECT)) {
                return blocks(c.write(filled(1, 2)));
            }
        });
        show("cut", () -> {
            try (FileChannel c = FileChannel.open(file, WRITE, DIRECT)) {
                return blocks(c.truncate(10).size());
            }
        });
        show("appended to a part", () -> {
            try (FileChannel c = FileChannel.open(file, APPEND, DIRECT)) {
                return blocks(c.write(filled(1, 2)));
            }
        });
        show("the part", () -> {
            try (FileChannel c = FileChannel.open(file, READ, DIRECT)) {
                return c.read(aligned(1)) + " " + c.read(aligned(1));
            }
        });
        show("asynchronous", () -> {
            try (AsynchronousFileChannel c = AsynchronousFileChannel.open(file, Set.of(READ, WRITE, DIRECT), null)) {
                return blocks(c.write(filled(1, 2), 0).get()) + " " + blocks(c.read(aligned(1), 0).get());
            }
        });
        show("byte channel", () -> {
            try (var c = Files.newByteChannel(file, Set.of(READ, DIRECT))) {
                return blocks(c.read(aligned(1)));
            }
        });
        show("stream in", () -> {
            try (var c = Files.newInputStream(file, DIRECT)) {
                return c.read(new byte[block]) + " " + c.read();
            }
        });
        show("stream out", () -> {
            try (var c = Files.newOutputStream(file, WRITE, DIRECT)) {
                c.write(new byte[block]);
                c.write(1);
                return null;
            }
        });
    }

    public static void main(String[] args) throws Exception {
        file = Files.createTempFile(Path.of("."), "direct", null);
        block = (int) Files.getFileStore(file).getBlockSize();
        try {
            FileChannel.open(file, WRITE, DIRECT).close();
        } catch (IOException | UnsupportedOperationException e) {
            System.out.println("refused: " + e);
            Files.delete(file);
            return;
        }
        try {
            writes();
            reads();
            mapped();
            transfers();
            others();
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
