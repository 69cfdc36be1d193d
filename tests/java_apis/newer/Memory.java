import java.lang.foreign.*;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.*;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** Since 25: segments, layouts and arenas of java.lang.foreign. */
public class Memory {
    static void check(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": no exception");
        } catch (Throwable e) {
            System.out.println(what + ": " + e.getClass().getName() + ": " + String.valueOf(e.getMessage()).replaceAll("address: ?0x[0-9a-f]+|address:\\d+", "address: N"));
        }
    }

    public static void main(String[] args) throws Exception {
        MemorySegment kept;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment s = arena.allocate(ValueLayout.JAVA_INT, 10);
            for (int i = 0; i < 10; i++) s.setAtIndex(ValueLayout.JAVA_INT, i, i * i);
            System.out.println(Arrays.toString(s.toArray(ValueLayout.JAVA_INT)));
            System.out.println(s.byteSize() + " " + s.isNative() + " " + s.asSlice(4, 8).byteSize());
            check("out of bounds", () -> s.get(ValueLayout.JAVA_INT, 40));
            MemorySegment text = arena.allocateFrom("grüße");
            System.out.println(text.byteSize() + " " + text.getString(0));
            StructLayout point = MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName("x"), ValueLayout.JAVA_INT.withName("y"));
            VarHandle x = point.varHandle(MemoryLayout.PathElement.groupElement("x"));
            VarHandle y = point.varHandle(MemoryLayout.PathElement.groupElement("y"));
            MemorySegment p = arena.allocate(point);
            x.set(p, 0L, 3);
            y.set(p, 0L, 4);
            System.out.println(point + " " + x.get(p, 0L) + " " + y.get(p, 0L) + " " + (int) x.getAndAdd(p, 0L, 5) + " " + x.get(p, 0L));
            SequenceLayout points = MemoryLayout.sequenceLayout(4, point);
            VarHandle ys = points.varHandle(MemoryLayout.PathElement.sequenceElement(), MemoryLayout.PathElement.groupElement("y"));
            MemorySegment many = arena.allocate(points);
            for (int i = 0; i < 4; i++) ys.set(many, 0L, (long) i, 10 * i);
            System.out.println(ys.get(many, 0L, 3L) + " " + points.byteOffset(MemoryLayout.PathElement.sequenceElement(2), MemoryLayout.PathElement.groupElement("y")));
            MemorySegment heap = MemorySegment.ofArray(new byte[16]);
            heap.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 1, 0x0102030405060708L);
            System.out.println(Arrays.toString(heap.toArray(ValueLayout.JAVA_BYTE)));
            MemorySegment.copy(heap, 0, s, 0, 16);
            System.out.println(s.get(ValueLayout.JAVA_BYTE, 3) + " " + s.mismatch(heap));
            s.fill((byte) 7);
            System.out.println(s.get(ValueLayout.JAVA_INT, 8));
            check("read only", () -> s.asReadOnly().set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
            Thread other = new Thread(() -> check("another thread", () -> s.get(ValueLayout.JAVA_BYTE, 0)));
            other.start();
            other.join();
            kept = s;
        }
        check("closed", () -> kept.get(ValueLayout.JAVA_BYTE, 0));
        try (Arena shared = Arena.ofShared()) {
            MemorySegment s = shared.allocate(64);
            Thread other = new Thread(() -> s.set(ValueLayout.JAVA_LONG, 8, 42));
            other.start();
            other.join();
            System.out.println(s.get(ValueLayout.JAVA_LONG, 8));
            check("confined closing", Arena.global()::close);
        }
        Path file = Files.createTempFile("memory", ".bin");
        Files.write(file, "mapped".getBytes());
        try (Arena arena = Arena.ofConfined(); FileChannel c = FileChannel.open(file)) {
            MemorySegment m = c.map(FileChannel.MapMode.READ_ONLY, 0, c.size(), arena);
            System.out.println(m.byteSize() + " " + (char) m.get(ValueLayout.JAVA_BYTE, 0) + " " + m.isMapped());
        }
        Files.delete(file);
        Arena auto = Arena.ofAuto();
        System.out.println(auto.allocate(8, 8).byteSize() + " " + auto.scope().isAlive());
    }
}
