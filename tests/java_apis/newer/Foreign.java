import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Since 22: functions of native libraries. */
public class Foreign {
    static final Linker LINKER = Linker.nativeLinker();

    static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), type, options);
    }

    static int calls;

    static int compare(MemorySegment a, MemorySegment b) {
        calls++;
        return Integer.compare(a.get(JAVA_INT, 0), b.get(JAVA_INT, 0));
    }

    static int compareAndCollect(MemorySegment a, MemorySegment b) {
        byte[][] garbage = new byte[100][];
        for (int i = 0; i < garbage.length; i++) {
            garbage[i] = new byte[1000];
        }
        Thread.yield();
        // native code below native code
        String text = a.get(JAVA_INT, 0) + "";
        try (Arena arena = Arena.ofConfined()) {
            long n = (long) function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(text));
            if (n != text.length()) {
                throw new AssertionError(n);
            }
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return compare(a, b);
    }

    static MemorySegment comparator(String name, Arena arena) throws Exception {
        MethodHandle target = MethodHandles.lookup().findStatic(Foreign.class, name,
                MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        return LINKER.upcallStub(target, FunctionDescriptor.of(JAVA_INT,
                ADDRESS.withTargetLayout(JAVA_INT), ADDRESS.withTargetLayout(JAVA_INT)), arena);
    }

    static void sort(String name, int... numbers) throws Throwable {
        MethodHandle qsort = function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment array = arena.allocateFrom(JAVA_INT, numbers);
            calls = 0;
            qsort.invokeExact(array, (long) numbers.length, 4L, comparator(name, arena));
            System.out.println(name + " " + Arrays.toString(array.toArray(JAVA_INT)) + " " + (calls > 0));
        }
    }

    static void strings(Arena arena) throws Throwable {
        MethodHandle strlen = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
        System.out.println("strlen " + (long) strlen.invokeExact(arena.allocateFrom("Grüße")));
        MethodHandle snprintf = function("snprintf",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_DOUBLE, ADDRESS, JAVA_LONG),
                Linker.Option.firstVariadicArg(3));
        MemorySegment buffer = arena.allocate(100);
        int n = (int) snprintf.invokeExact(buffer, 100L, arena.allocateFrom("%d|%.3f|%s|%lx"), -7, Math.PI,
                arena.allocateFrom("text"), 255L);
        System.out.println("snprintf " + n + " " + buffer.getString(0));
        MethodHandle strchr = function("strchr", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
        MemorySegment text = arena.allocateFrom("abcdef");
        MemorySegment found = (MemorySegment) strchr.invokeExact(text, (int) 'c');
        System.out.println("strchr " + (found.address() - text.address()) + " " + found.byteSize() + " "
                + found.reinterpret(5).getString(0));
        found = (MemorySegment) strchr.invokeExact(text, (int) 'x');
        System.out.println("strchr " + found.equals(MemorySegment.NULL));
        MethodHandle toupper = function("toupper", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        System.out.println("toupper " + (char) (int) toupper.invokeExact((int) 'q'));
    }

    static void allocation() throws Throwable {
        MethodHandle malloc = function("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
        MethodHandle free = function("free", FunctionDescriptor.ofVoid(ADDRESS));
        MethodHandle strdup = function("strdup", FunctionDescriptor.of(ADDRESS, ADDRESS));
        MemorySegment own = ((MemorySegment) malloc.invokeExact(64L)).reinterpret(64);
        own.fill((byte) 1);
        own.set(JAVA_LONG, 8, 0x1122334455667788L);
        own.asSlice(16, 8).copyFrom(own.asSlice(8, 8));
        System.out.println("malloc " + own.get(JAVA_BYTE, 7) + " " + Long.toHexString(own.get(JAVA_LONG, 16)));
        own.setString(0, "kept by malloc");
        MemorySegment copy = (MemorySegment) strdup.invokeExact(own);
        System.out.println("strdup " + copy.reinterpret(Long.MAX_VALUE).getString(0));
        free.invokeExact(copy);
        free.invokeExact(own);
    }

    static final StructLayout DIV = MemoryLayout.structLayout(JAVA_INT.withName("quot"), JAVA_INT.withName("rem"));
    static final StructLayout LDIV = MemoryLayout.structLayout(JAVA_LONG.withName("quot"), JAVA_LONG.withName("rem"));

    static void structs(Arena arena) throws Throwable {
        MethodHandle div = function("div", FunctionDescriptor.of(DIV, JAVA_INT, JAVA_INT));
        MemorySegment result = (MemorySegment) div.invokeExact((java.lang.foreign.SegmentAllocator) arena, 47, 10);
        System.out.println("div " + result.get(JAVA_INT, 0) + " " + result.get(JAVA_INT, 4));
        MethodHandle ldiv = function("ldiv", FunctionDescriptor.of(LDIV, JAVA_LONG, JAVA_LONG));
        result = (MemorySegment) ldiv.invokeExact((java.lang.foreign.SegmentAllocator) arena, -47_000_000_000L, 10L);
        System.out.println("ldiv " + result.get(JAVA_LONG, 0) + " " + result.get(JAVA_LONG, 8));

        StructLayout tm = MemoryLayout.structLayout(JAVA_INT.withName("sec"), JAVA_INT.withName("min"),
                JAVA_INT.withName("hour"), JAVA_INT.withName("mday"), JAVA_INT.withName("mon"),
                JAVA_INT.withName("year"), JAVA_INT.withName("wday"), JAVA_INT.withName("yday"),
                JAVA_INT.withName("isdst"), MemoryLayout.paddingLayout(4), JAVA_LONG.withName("gmtoff"),
                ADDRESS.withName("zone"));
        MethodHandle gmtime = function("gmtime_r", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        MemorySegment time = arena.allocate(tm);
        MemorySegment same = (MemorySegment) gmtime.invokeExact(arena.allocateFrom(JAVA_LONG, 1_000_000_000L), time);
        StringBuilder fields = new StringBuilder();
        for (String name : new String[] {"year", "mon", "mday", "hour", "min", "sec", "yday"}) {
            VarHandle field = tm.varHandle(MemoryLayout.PathElement.groupElement(name));
            fields.append(' ').append((int) field.get(time, 0L));
        }
        System.out.println("gmtime_r " + same.equals(time) + fields);

        MemorySegment timeval = arena.allocate(16);
        MethodHandle gettimeofday = function("gettimeofday", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        int r = (int) gettimeofday.invokeExact(timeval, MemorySegment.NULL);
        System.out.println("gettimeofday " + r + " "
                + (Math.abs(timeval.get(JAVA_LONG, 0) - System.currentTimeMillis() / 1000) <= 60));
    }

    static void errors(Arena arena) throws Throwable {
        StructLayout state = Linker.Option.captureStateLayout();
        VarHandle errno = state.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        MethodHandle open = function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                Linker.Option.firstVariadicArg(2), Linker.Option.captureCallState("errno"));
        MemorySegment captured = arena.allocate(state);
        int fd = (int) open.invokeExact(captured, arena.allocateFrom("/no/such/file"), 0);
        int number = (int) errno.get(captured, 0L);
        MethodHandle strerror = function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        MemorySegment text = (MemorySegment) strerror.invokeExact(number);
        System.out.println("open " + fd + " " + number + " " + text.reinterpret(100).getString(0));
        MethodHandle close = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT),
                Linker.Option.critical(true), Linker.Option.captureCallState("errno"));
        MemorySegment heap = MemorySegment.ofArray(new int[1]);
        int r = (int) close.invokeExact(heap, -1);
        System.out.println("close " + r + " " + heap.get(JAVA_INT, 0));
    }

    static void critical(Arena arena) throws Throwable {
        MethodHandle memcpy = function("memcpy", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG),
                Linker.Option.critical(true));
        byte[] from = {1, 2, 3, 4, 5, 6, 7, 8};
        MemorySegment outside = arena.allocate(8);
        MemorySegment ignored = (MemorySegment) memcpy.invokeExact(outside, MemorySegment.ofArray(from).asSlice(2), 6L);
        System.out.println("memcpy " + Arrays.toString(outside.toArray(JAVA_BYTE)));
        short[] to = new short[6];
        ignored = (MemorySegment) memcpy.invokeExact(MemorySegment.ofArray(to).asSlice(4), outside, 8L);
        System.out.println("memcpy " + Arrays.toString(to));
        long[] both = {1, 2, 3, 4};
        MemorySegment segment = MemorySegment.ofArray(both);
        ignored = (MemorySegment) memcpy.invokeExact(segment, segment.asSlice(16), 16L);
        System.out.println("memcpy " + Arrays.toString(both));
        MethodHandle plain = function("memcpy", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
        try {
            ignored = (MemorySegment) plain.invokeExact(outside, segment, 8L);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage().split(":")[0]);
        }
    }

    static void libraries() throws Throwable {
        MethodHandle pow;
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup libm = SymbolLookup.libraryLookup("libm.so.6", arena);
            pow = LINKER.downcallHandle(libm.find("pow").orElseThrow(),
                    FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE));
            MethodHandle cosf = LINKER.downcallHandle(libm.find("cosf").orElseThrow(),
                    FunctionDescriptor.of(JAVA_FLOAT, JAVA_FLOAT));
            System.out.println("pow " + (double) pow.invokeExact(2.0, 10.0) + " " + (float) cosf.invokeExact(0f));
            System.out.println(libm.find("no_such_function").isPresent());
        }
        try {
            double d = (double) pow.invokeExact(2.0, 10.0);
            System.out.println(d);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            SymbolLookup.libraryLookup("libno-such-library.so", Arena.global());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(LINKER.defaultLookup().find("no_such_function").isPresent());
        System.out.println(SymbolLookup.loaderLookup().find("pow").isPresent());
        MethodHandle getpid = function("getpid", FunctionDescriptor.of(JAVA_INT));
        System.out.println("getpid " + ((int) getpid.invokeExact() == ProcessHandle.current().pid()));
    }

    static void arenas() throws Throwable {
        MethodHandle strlen = function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
        MemorySegment text;
        try (Arena arena = Arena.ofConfined()) {
            text = arena.allocateFrom("closed");
            System.out.println((long) strlen.invokeExact(text));
        }
        try {
            System.out.println((long) strlen.invokeExact(text));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        // a buffer and a mapped file are memory of the same kind
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        buffer.put("direct\0".getBytes()).flip();
        System.out.println((long) strlen.invokeExact(MemorySegment.ofBuffer(buffer)));
        Path file = Files.createTempFile("foreign", ".txt");
        Files.write(file, "mapped file\0".getBytes());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
            System.out.println((long) strlen.invokeExact(mapped));
            MethodHandle memset = function("memset", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG));
            MemorySegment ignored = (MemorySegment) memset.invokeExact(mapped, (int) '*', 6L);
            System.out.println(mapped.getString(0));
        }
        Files.delete(file);
    }

    static void threads() throws Throwable {
        Thread[] threads = new Thread[3];
        int[][] sorted = new int[threads.length][];
        for (int t = 0; t < threads.length; t++) {
            int number = t;
            threads[t] = Thread.ofVirtual().start(() -> {
                int[] numbers = new int[20];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = (i * 7 + number) % 20;
                }
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment array = arena.allocateFrom(JAVA_INT, numbers);
                    function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS))
                            .invokeExact(array, 20L, 4L, comparator("compareAndCollect", arena));
                    sorted[number] = array.toArray(JAVA_INT);
                } catch (Throwable e) {
                    throw new AssertionError(e);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int[] numbers : sorted) {
            System.out.println(Arrays.toString(numbers));
        }
    }

    public static void main(String[] args) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            strings(arena);
            allocation();
            structs(arena);
            errors(arena);
            critical(arena);
        }
        sort("compare", 5, 3, 9, -1, 7, 0);
        sort("compareAndCollect", 500, 3, 99999, -1, 7, 0, 12);
        libraries();
        arenas();
        threads();
    }
}
