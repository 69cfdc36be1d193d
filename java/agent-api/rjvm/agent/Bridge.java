package rjvm.agent;

import java.util.Arrays;

/** What the VM calls to reach an agent. Its private natives hand over what waits in the VM. */
final class Bridge {
    private static Profiler profiler;
    private static SamplingProfiler sampler;
    private static MIDFactory factory;
    private static EventListener listener;
    private static final VM PROGRAM = new VM();

    /** By the VM's number of the method. */
    private static MID[] mids = new MID[1 << 10];

    private Bridge() {
    }

    /** The next number that waits, or -1. */
    private static native int number();

    /** The next text that waits. */
    private static native String text();

    /** Events of a kind are wanted, or no longer. */
    static native void enable(int kind, boolean on);

    /** What is known of the event: thread, its bytecodes, those of all. */
    static native long count(int which);

    /** Asks the program's VM. */
    static native String ask(int what, int about);

    /** Asks the program's VM for a heap dump. */
    static native void dump(String file);

    /** The class file that waits. */
    private static native byte[] file();

    /** Another one in its place. */
    private static native void replace(byte[] file);

    /** An instrument is to be placed: 0 at blocks, else its strategy. False: the pattern is none. */
    private static native boolean place(int instrument, int strategy, String classes, String method);

    /** It is to be taken away. */
    private static native void remove(int instrument);

    private static final java.util.Map<Integer, Instrument> INSTRUMENTS = new java.util.HashMap<>();
    private static int instruments;

    static int addInstrument(Instrument instrument, int strategy, String classes, String method) {
        int number = instruments++;
        if (!place(number, strategy, java.util.Objects.requireNonNull(classes), java.util.Objects.requireNonNull(method))) {
            throw new IllegalArgumentException("no pattern: " + classes);
        }
        INSTRUMENTS.put(number, instrument);
        return number;
    }

    static void removeInstrument(int number) {
        if (INSTRUMENTS.remove(number) != null) {
            remove(number);
        }
    }

    /** An instrument is told; flags: 1 after, 2 by an exception, 4 late, 8 there is a result. The texts that wait are arguments and result. */
    static void hit(int number, int flags, long at, long bytecodes, long allocated) {
        Instrument instrument = INSTRUMENTS.get(number);
        if (instrument == null) {
            return;
        }
        String[] arguments = new String[number()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = text();
        }
        String result = (flags & 8) != 0 ? text() : null;
        Hit hit = new Hit(number, (int) (at >> 32), (int) at, arguments, result, flags, bytecodes, allocated);
        if ((flags & 1) == 0) {
            instrument.before(hit);
        } else {
            instrument.after(hit);
        }
    }

    /** Makes the agent of the class whose name waits; 1: it is a Profiler, 2: a SamplingProfiler, 4: an EventListener, or sums of these. */
    static int load() throws Exception {
        Object agent = make(text());
        if (agent instanceof Profiler) {
            profiler = (Profiler) agent;
        }
        if (agent instanceof SamplingProfiler) {
            sampler = (SamplingProfiler) agent;
        }
        if (agent instanceof EventListener) {
            listener = (EventListener) agent;
        }
        String name = System.getProperty("org.jp.MIDFactory");
        if (name != null) {
            factory = (MIDFactory) make(name);
        }
        return (profiler == null ? 0 : 1) + (sampler == null ? 0 : 2) + (listener == null ? 0 : 4);
    }

    private static Object make(String name) throws Exception {
        Class<?> c = Class.forName(name, true, ClassLoader.getSystemClassLoader());
        java.lang.reflect.Constructor<?> constructor = c.getDeclaredConstructor();
        constructor.setAccessible(true);
        try {
            return constructor.newInstance();
        } catch (java.lang.reflect.InvocationTargetException e) {
            if (e.getCause() instanceof Exception) {
                throw (Exception) e.getCause();
            }
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw e;
        }
    }

    /** The current thread is made, the twin of one of the program's. */
    static RC begin() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        return new RC();
    }

    /** The contexts of a thread by number; the root's is 0. */
    static IC[] contexts(RC rc) {
        IC[] contexts = new IC[64];
        contexts[0] = rc;
        return contexts;
    }

    /** A stack for at least {@code n} frames that begins like {@code stack}. */
    static MID[] stack(MID[] stack, int n) {
        return stack == null ? new MID[n] : Arrays.copyOf(stack, n);
    }

    /** Makes the identifiers of the methods that wait: number, class, name with descriptor. */
    static MID[] define() {
        for (int id; (id = number()) >= 0;) {
            String c = text();
            String mns = text();
            if (id >= mids.length) {
                mids = Arrays.copyOf(mids, Math.max(id + 1, 2 * mids.length));
            }
            mids[id] = factory == null ? new MIDImpl(c, mns) : factory.getMID(find(c), mns);
        }
        return mids;
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Adds the contexts that wait, each as the number of its caller and that of its method. */
    static IC[] add(IC[] contexts, int size) {
        for (int caller; (caller = number()) >= 0;) {
            IC ic = contexts[caller].callee(mids[number()]);
            if (size == contexts.length) {
                contexts = Arrays.copyOf(contexts, 2 * size);
            }
            contexts[size++] = ic;
        }
        return contexts;
    }

    static int register(RC rc) {
        return profiler.register(Thread.currentThread(), rc);
    }

    static int register() {
        return sampler.register(Thread.currentThread());
    }

    static int report(RC rc, IC currentIC) {
        return profiler.report(rc, currentIC);
    }

    static int processSample(MID[] stack, int sp, int bytecodes) {
        return sampler.processSample(stack, sp, bytecodes);
    }

    static void listen() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        listener.begin(PROGRAM);
    }

    /** An event of this kind, with what its method takes, as far as it is numbers. */
    static void event(int kind, long a, long b, long c, long d) {
        EventListener l = listener;
        switch (kind) {
            case VM.JVM_INIT_DONE -> l.jvmInitDone();
            case VM.JVM_SHUT_DOWN -> l.jvmShutDown();
            case VM.HEAP_DUMP -> l.heapDump(text(), a);
            case VM.THREAD_START -> l.threadStart((int) a, text());
            case VM.THREAD_END -> l.threadEnd((int) a);
            case VM.CLASS_LOAD -> l.classLoad((int) a, text());
            case VM.CLASS_UNLOAD -> l.classUnload((int) a);
            case VM.CLASS_LOAD_HOOK -> {
                String name = text();
                byte[] file = l.classLoadHook(name.isEmpty() ? null : name, file());
                if (file != null) {
                    replace(file);
                }
            }
            case VM.NEW_ARENA -> l.newArena((int) a, text());
            case VM.DELETE_ARENA -> l.deleteArena((int) a);
            case VM.OBJECT_ALLOC -> l.objectAlloc((int) a, (int) b, (int) c, (int) d);
            case VM.OBJECT_MOVE -> l.objectMove((int) a, (int) b, (int) c, (int) d);
            case VM.OBJECT_FREE -> l.objectFree((int) a);
            case VM.GC_START -> l.gcStart();
            case VM.GC_FINISH -> l.gcFinish(a, b, c);
            case VM.METHOD_ENTRY -> l.methodEntry((int) a);
            case VM.METHOD_EXIT -> l.methodExit((int) a, b != 0);
            case VM.INSTRUCTION_START -> l.instructionStart((int) a, (int) b);
            case VM.MONITOR_CONTENDED_ENTER -> l.monitorContendedEnter((int) a, (int) b);
            case VM.MONITOR_CONTENDED_ENTERED -> l.monitorContendedEntered((int) a);
            case VM.MONITOR_CONTENDED_EXIT -> l.monitorContendedExit((int) a);
            case VM.MONITOR_WAIT -> l.monitorWait((int) a, b);
            case VM.MONITOR_WAITED -> l.monitorWaited((int) a, b != 0);
            case VM.PARK -> l.park((int) a, b);
            case VM.PARKED -> l.parked((int) a, b != 0);
            default -> throw new AssertionError(kind);
        }
    }

    /** The program is over: runs the shutdown hooks. */
    static void finish() {
        Runtime.getRuntime().exit(0);
    }
}
