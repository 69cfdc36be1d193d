import java.io.File;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/** A mapped file is cut, then its buffer is used; then the file grows again. */
public class CutFile {
    interface Access { Object run() throws Exception; }

    static void attempt(String what, Access access) throws Exception {
        try {
            System.out.println(what + " " + access.run());
        } catch (InternalError e) {
            System.out.println(what + " " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        File file = File.createTempFile("cut", null);
        file.deleteOnExit();
        try (RandomAccessFile r = new RandomAccessFile(file, "rw")) {
            r.setLength(1 << 16);
            MappedByteBuffer m = r.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
            MappedByteBuffer p = r.getChannel().map(FileChannel.MapMode.PRIVATE, 0, 1 << 16);
            m.put(0, (byte) 1).putLong(30000, 12345678901234L);
            p.put(30000, (byte) 7);
            r.setLength(100);
            for (int at : new int[] {0, 4095, 4096, 20000, 65528}) {
                attempt("get " + at, () -> m.get(at));
                attempt("getShort " + at, () -> m.getShort(at));
                attempt("getInt " + at, () -> m.getInt(at));
                attempt("getLong " + at, () -> m.getLong(at));
                attempt("put " + at, () -> m.put(at, (byte) 3).position());
                attempt("putDouble " + at, () -> m.putDouble(at, 1.5).position());
            }
            attempt("bulk get", () -> m.get(3, new byte[5000]).position());
            attempt("bulk put", () -> m.duplicate().position(4000).put(ByteBuffer.allocate(200)).position());
            attempt("bulk put direct", () -> m.duplicate().position(5000).put(ByteBuffer.allocateDirect(200)).position());
            attempt("longs", () -> m.asLongBuffer().get(1000));
            attempt("bulk longs", () -> m.asLongBuffer().get(500, new long[100]).position());
            attempt("compare", () -> m.mismatch(ByteBuffer.allocate(1 << 16)));
            attempt("private, touched before", () -> p.get(30000));
            attempt("private, not touched", () -> p.get(40000));
            r.setLength(1 << 16);
            attempt("grown again", () -> m.getLong(30000));
            attempt("grown again, put", () -> m.putLong(30000, 5).getLong(30000));
        }
    }
}
