import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/** Since 25. Threads of the C library call Java without having been attached: each is a Java thread until it ends. */
public class NativeThreads {
    static final Linker LINKER = Linker.nativeLinker();
    static final FunctionDescriptor START = FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    static final int THREADS = 3;
    static final CyclicBarrier MEETING = new CyclicBarrier(THREADS + 1);
    static final CountDownLatch DONE = new CountDownLatch(THREADS);
    static final List<Thread> SEEN = new ArrayList<>();
    static final ThreadLocal<Integer> OWN = ThreadLocal.withInitial(() -> 0);
    static MethodHandle sort;
    static MemorySegment order;

    static int compare(MemorySegment a, MemorySegment b) {
        OWN.set(OWN.get() + 1);
        return Integer.compare(
                a.reinterpret(4).get(ValueLayout.JAVA_INT, 0), b.reinterpret(4).get(ValueLayout.JAVA_INT, 0));
    }

    static MemorySegment run(MemorySegment argument) {
        try {
            Thread me = Thread.currentThread();
            synchronized (SEEN) {
                SEEN.add(me);
            }
            MEETING.await();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_INT, 5, 3, (int) argument.address());
                sort.invokeExact(numbers, 3L, 4L, order);
                synchronized (SEEN) {
                    System.out.println("daemon " + me.isDaemon() + ", virtual " + me.isVirtual() + ", named "
                            + me.getName().startsWith("Thread-") + ", group " + me.getThreadGroup().getName()
                            + ", compared here " + (OWN.get() > 0)
                            + ", smallest " + numbers.get(ValueLayout.JAVA_INT, 0));
                }
            }
            DONE.countDown();
        } catch (Throwable t) {
            t.printStackTrace();
        }
        return MemorySegment.NULL;
    }

    static MethodHandle of(String name, FunctionDescriptor types) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), types);
    }

    public static void main(String[] args) throws Throwable {
        var lookup = MethodHandles.lookup();
        sort = of("qsort", FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        var create = of("pthread_create", FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        var detach = of("pthread_detach", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        var start = LINKER.upcallStub(lookup.findStatic(NativeThreads.class, "run",
                MethodType.methodType(MemorySegment.class, MemorySegment.class)), START, Arena.global());
        order = LINKER.upcallStub(lookup.findStatic(NativeThreads.class, "compare",
                MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class)),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS), Arena.global());
        for (int i = 0; i < THREADS; i++) {
            MemorySegment id = Arena.global().allocate(ValueLayout.JAVA_LONG);
            int error = (int) create.invokeExact(id, MemorySegment.NULL, start, 1L);
            int other = (int) detach.invokeExact(id.get(ValueLayout.JAVA_LONG, 0));
            System.out.println("created " + error + " " + other);
        }
        MEETING.await();
        DONE.await();
        for (Thread t : SEEN) {
            t.join();
        }
        System.out.println(SEEN.size() + " have ended: " + SEEN.stream().noneMatch(Thread::isAlive));
    }
}
