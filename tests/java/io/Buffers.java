import java.nio.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** NIO buffers: heap and direct, views, byte orders, slices, duplicates, read-only, marks, limits, failures. */
public class Buffers {
    interface Body { Object run(); }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (RuntimeException e) {
            System.out.println(what + " -> " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    static void exercise(ByteBuffer b) {
        System.out.println(b);
        b.put((byte) 1).putShort((short) -2).putChar('é').putInt(0x01020304).putLong(5L).putFloat(1.5f).putDouble(2.5).put(new byte[] {9, 8, 7}, 1, 2);
        System.out.println(b + " " + b.remaining() + b.hasRemaining());
        b.flip();
        System.out.println(b.get() + " " + b.getShort() + " " + b.getChar() + " " + b.order(ByteOrder.LITTLE_ENDIAN).getInt() + " " + b.order(ByteOrder.BIG_ENDIAN).getLong() + " " + b.getFloat() + " " + b.getDouble() + " " + b.get(29) + " " + b);
        b.rewind().position(5).mark().limit(20);
        ByteBuffer s = b.slice(), d = b.duplicate(), ro = b.asReadOnlyBuffer();
        s.put(0, (byte) 99);
        d.position(6);
        System.out.println(s + " " + b.get(5) + " " + d + " " + ro.isReadOnly() + ro.get(5) + " " + s.order() + " " + b.slice(1, 3).get(0) + " " + b.position());
        IntBuffer ints = b.asIntBuffer();
        ints.put(0, -1).put(1, 77);
        LongBuffer longs = b.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        System.out.println(ints + " " + ints.get(1) + " " + Long.toHexString(longs.get(0)) + " " + b.asShortBuffer().get(0) + " " + longs.capacity() + " " + b.order());
        b.order(ByteOrder.BIG_ENDIAN).reset();
        b.get();
        b.compact();
        System.out.println(b + " " + b.get(0) + " " + b.get(13) + " " + b.clear() + " " + b.compareTo(ByteBuffer.allocate(3)) + " " + b.equals(b.duplicate()) + " " + (b.hashCode() == b.duplicate().hashCode()) + " " + b.mismatch(ByteBuffer.allocate(3)));
    }

    public static void main(String[] args) {
        exercise(ByteBuffer.allocate(40));
        exercise(ByteBuffer.allocateDirect(40));
        exercise(ByteBuffer.wrap(new byte[50], 5, 40).slice());
        ByteBuffer b = ByteBuffer.allocate(4);
        show("overflow", () -> b.putLong(1));
        show("underflow", () -> ByteBuffer.wrap(new byte[3]).getInt());
        show("index", () -> b.getInt(1));
        show("negative", () -> b.get(-1));
        show("limit", () -> b.limit(5));
        show("position", () -> b.limit(2).position(3));
        show("mark", () -> b.reset());
        show("read-only", () -> b.asReadOnlyBuffer().put((byte) 1));
        show("read-only array", () -> b.asReadOnlyBuffer().array());
        show("direct array", () -> ByteBuffer.allocateDirect(1).hasArray() + "" + ByteBuffer.allocateDirect(1).array());
        show("allocate", () -> ByteBuffer.allocate(-1));
        show("self", () -> b.put(b));
        show("array offset", () -> ByteBuffer.wrap(new byte[9], 2, 5).slice().arrayOffset() + " " + ByteBuffer.wrap(new byte[9]).array().length);
        CharBuffer c = CharBuffer.wrap("hello world", 2, 9);
        show("chars", () -> c + " " + c.length() + c.charAt(1) + c.subSequence(1, 3) + c.isReadOnly() + " " + c.chars().sum() + " " + CharBuffer.allocate(5).put("abc").flip() + " " + CharBuffer.wrap("b").compareTo(CharBuffer.wrap("a")));
        show("char put", () -> c.put('x'));
        DoubleBuffer d = DoubleBuffer.allocate(4);
        d.put(1.5).put(new double[] {2, 3}).flip();
        FloatBuffer f = FloatBuffer.wrap(new float[] {1, Float.NaN});
        show("doubles", () -> d + " " + d.get(1) + " " + d.equals(DoubleBuffer.wrap(new double[] {1.5, 2, 3})) + " " + f.compareTo(FloatBuffer.wrap(new float[] {1, 0})) + " " + f.equals(f.duplicate()));
        ByteBuffer direct = ByteBuffer.allocateDirect(1000).order(ByteOrder.nativeOrder());
        IntBuffer view = direct.asIntBuffer();
        for (int i = 0; i < 250; i++) view.put(i * i);
        int sum = 0;
        for (int i = 0; i < 250; i++) sum += direct.getInt(i * 4);
        byte[] bulk = new byte[1000];
        direct.get(0, bulk);
        direct.put(0, bulk, 500, 500);
        show("bulk", () -> Arrays.hashCode(bulk) + " " + direct.getInt(0) + " " + ByteBuffer.wrap(bulk).mismatch(direct) + " " + direct.isDirect() + view.isDirect());
        System.out.println(sum + " " + ByteOrder.nativeOrder() + " " + StandardCharsets.UTF_8.encode("é€").remaining() + " " + direct.alignedSlice(8).capacity() % 8);
    }
}
