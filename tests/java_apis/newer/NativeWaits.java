import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.SynchronousQueue;

/** Since 25. Native functions that wait leave other threads of Java running, those that they wait for among them. */
public class NativeWaits {
    static final Linker LINKER = Linker.nativeLinker();
    static final SynchronousQueue<String> MEETING = new SynchronousQueue<>();

    static MethodHandle of(String name, FunctionDescriptor types) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), types);
    }

    /** What a thread of the C library does: another thread of Java has to take part. */
    static MemorySegment run(MemorySegment argument) {
        try {
            MEETING.put("from a thread of the C library");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return MemorySegment.ofAddress(argument.address() + 1);
    }

    /** Waits natively for a thread that needs Java code to end. */
    static void join() throws Throwable {
        var create = of("pthread_create", FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        var join = of("pthread_join", FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        var run = MethodHandles.lookup().findStatic(NativeWaits.class, "run",
                MethodType.methodType(MemorySegment.class, MemorySegment.class));
        var start = LINKER.upcallStub(run, FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS), Arena.global());
        var taker = Thread.ofPlatform().start(() -> {
            try {
                System.out.println(MEETING.take());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        MemorySegment id = Arena.global().allocate(ValueLayout.JAVA_LONG);
        MemorySegment result = Arena.global().allocate(ValueLayout.ADDRESS);
        int created = (int) create.invokeExact(id, MemorySegment.NULL, start, 41L);
        int joined = (int) join.invokeExact(id.get(ValueLayout.JAVA_LONG, 0), result);
        taker.join();
        System.out.println(created + " " + joined + " " + result.get(ValueLayout.ADDRESS, 0).address());
    }

    /** Waits natively for a byte that a thread of Java writes once it has run for a while. */
    static void read(Thread.Builder kind) throws Throwable {
        var pipe = of("pipe", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        var types = FunctionDescriptor.of(ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
        var read = of("read", types);
        var write = of("write", types);
        var usleep = of("usleep", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (var arena = Arena.ofShared()) {
            MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            int made = (int) pipe.invokeExact(ends);
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 7);
            MemorySegment got = arena.allocate(ValueLayout.JAVA_BYTE);
            var writer = kind.start(() -> {
                try {
                    int slept = (int) usleep.invokeExact(20_000);
                    long n = (long) write.invokeExact(ends.getAtIndex(ValueLayout.JAVA_INT, 1), sent, 1L);
                    System.out.println("slept " + slept + ", wrote " + n);
                } catch (Throwable t) {
                    throw new AssertionError(t);
                }
            });
            long n = (long) read.invokeExact(ends.getAtIndex(ValueLayout.JAVA_INT, 0), got, 1L);
            writer.join();
            System.out.println(made + " read " + n + ": " + got.get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    public static void main(String[] args) throws Throwable {
        join();
        read(Thread.ofPlatform());
        read(Thread.ofVirtual());
    }
}
