package rjvm.agent;

/** What an {@link EventListener} asks the program's VM during an event: the other direction of the interface. */
public final class VM {
    /** Kinds of events. */
    public static final int JVM_INIT_DONE = 0, JVM_SHUT_DOWN = 1, THREAD_START = 2, THREAD_END = 3, CLASS_LOAD = 4,
            CLASS_UNLOAD = 5, CLASS_LOAD_HOOK = 6, NEW_ARENA = 7, DELETE_ARENA = 8, OBJECT_ALLOC = 9, OBJECT_MOVE = 10,
            OBJECT_FREE = 11, GC_START = 12, GC_FINISH = 13, METHOD_ENTRY = 14, METHOD_EXIT = 15, INSTRUCTION_START = 16,
            MONITOR_CONTENDED_ENTER = 17, MONITOR_CONTENDED_ENTERED = 18, MONITOR_CONTENDED_EXIT = 19, MONITOR_WAIT = 20,
            MONITOR_WAITED = 21, PARK = 22, PARKED = 23, HEAP_DUMP = 24;

    /** When an instrument is told: before what it is placed at, after it, or both, paired. */
    public static final int BEFORE = 1, AFTER = 2, AROUND = 3;

    VM() {}

    /**
     * Places an instrument in methods that are loaded and in those that will be; from inside an event or a hit, it is there when
     * all who are told of that have been.
     *
     * @param strategy {@link #BEFORE}, {@link #AFTER} or {@link #AROUND}
     * @param everyBlock at every basic block of the methods instead of the whole methods: before it
     * @param classes whose methods, as in {@code --include}
     * @param method their name, or {@code *}
     * @return its number
     */
    public int addInstrument(Instrument instrument, int strategy, boolean everyBlock, String classes, String method) {
        if (strategy < BEFORE || strategy > AROUND || everyBlock && strategy != BEFORE) {
            throw new IllegalArgumentException("no such strategy: " + strategy);
        }
        return Bridge.addInstrument(java.util.Objects.requireNonNull(instrument), everyBlock ? 0 : strategy, classes, method);
    }

    /** Takes an instrument away. */
    public void removeInstrument(int instrument) {
        Bridge.removeInstrument(instrument);
    }

    /** Events of this kind are told from now on. */
    public void enableEvent(int kind) {
        Bridge.enable(kind, true);
    }

    /** Events of this kind are told no longer. */
    public void disableEvent(int kind) {
        Bridge.enable(kind, false);
    }

    /** The current thread; -1 if nothing runs. */
    public int getCurrentThread() {
        return (int) Bridge.count(0);
    }

    /** Bytecodes that the current thread has executed, the one it is at included. */
    public long getCurrentThreadBytecodes() {
        return Bridge.count(1);
    }

    /** Bytecodes that all threads have executed. */
    public long getBytecodes() {
        return Bridge.count(2);
    }

    /** Name of a thread that is alive. */
    public String getThreadName(int thread) {
        return Bridge.ask(0, thread);
    }

    /** Name of a class. */
    public String getClassName(int cls) {
        return Bridge.ask(1, cls);
    }

    /** Class, name and descriptor of a method. */
    public String getMethodName(int method) {
        return Bridge.ask(2, method);
    }

    /** Name of the class of an object. */
    public String getObjectClass(int object) {
        return Bridge.ask(3, object);
    }

    /**
     * The stack of the current thread.
     *
     * @return for each frame, the top one first, {@code package.Class.method(File.java:12)}, at most so many
     */
    public String[] getCallTrace(int depth) {
        String all = Bridge.ask(4, depth);
        return all.isEmpty() ? new String[0] : all.split("\n");
    }

    /** All monitors that somebody has entered or waits for, and who waits for whom. */
    public String dumpMonitors() {
        return Bridge.ask(5, 0);
    }

    /** All threads with their stacks. */
    public String dumpThreads() {
        return Bridge.ask(6, 0);
    }

    /** An object with its fields or elements, those of objects in it by name: {@code Point {x = 1, y = 2}}. */
    public String dumpObject(int object) {
        return Bridge.ask(7, object);
    }

    /**
     * Writes all objects into a new file in HPROF's binary format, as soon as they can be looked at: a few bytecodes later. {@link
     * EventListener#heapDump} tells of it.
     */
    public void requestHeapDump(String file) {
        Bridge.dump(java.util.Objects.requireNonNull(file));
    }
}
