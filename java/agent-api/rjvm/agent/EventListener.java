package rjvm.agent;

/**
 * An agent that is told of events, as agents of the JVM Profiler Interface are. It lives in a VM of its own; whatever it does,
 * the program executes the same bytecodes. Each event is told by a method that is named as the interface names it, in the
 * agent's main thread, while the program stands still. An event that is not enabled is not told, and costs nothing.
 *
 * <p>Objects, classes, methods and threads of the program are numbers. That of an object is good until {@link #objectMove}
 * or {@link #objectFree} tells otherwise; that of a class until {@link #classUnload}.
 */
public interface EventListener {
    /** The VM is there and has not executed anything: {@link VM#enableEvent} asks for the events that are wanted at first. */
    void begin(VM vm);

    /** The class library is up. */
    default void jvmInitDone() {}

    /** The program is over. */
    default void jvmShutDown() {}

    /** A thread exists. */
    default void threadStart(int thread, String name) {}

    /** The current thread is over. */
    default void threadEnd(int thread) {}

    /** A class has been defined. */
    default void classLoad(int cls, String name) {}

    /** Nothing knows the class any more. */
    default void classUnload(int cls) {}

    /**
     * A class file is about to become a class.
     *
     * @param name with slashes, or null if who defines it has not told
     * @return the file that becomes the class in its place, or null
     */
    default byte[] classLoadHook(String name, byte[] file) {
        return null;
    }

    /** There is an arena, which objects may be in. */
    default void newArena(int arena, String name) {}

    /** The arena is gone, with all objects that are still in it. */
    default void deleteArena(int arena) {}

    /** The current thread has allocated an object. */
    default void objectAlloc(int arena, int object, int cls, int size) {}

    /** A collection moves an object. */
    default void objectMove(int arena, int object, int newArena, int newObject) {}

    /** A collection has freed an object. */
    default void objectFree(int object) {}

    /** A collection begins. */
    default void gcStart() {}

    /** A collection has ended. */
    default void gcFinish(long usedObjects, long usedObjectSpace, long totalObjectSpace) {}

    /** The current thread has entered a method. */
    default void methodEntry(int method) {}

    /** The current thread leaves a method, perhaps by an exception. */
    default void methodExit(int method, boolean exception) {}

    /** The current thread begins the bytecode at this index of the method on top of its stack. */
    default void instructionStart(int method, int index) {}

    /** The current thread has to wait for a monitor that another one, or -1, has entered. */
    default void monitorContendedEnter(int object, int owner) {}

    /** The current thread has entered the monitor that it had to wait for. */
    default void monitorContendedEntered(int object) {}

    /** The current thread leaves a monitor that another one waits for. */
    default void monitorContendedExit(int object) {}

    /**
     * The current thread waits to be notified, or sleeps.
     *
     * @param object 0 if it sleeps
     * @param timeout nanoseconds at most; 0: no limit
     */
    default void monitorWait(int object, long timeout) {}

    /** The current thread has waited, or slept. */
    default void monitorWaited(int object, boolean timedOut) {}

    /** The current thread is parked; the object it is parked for, or 0. */
    default void park(int blocker, long timeout) {}

    /** The current thread is no longer parked. */
    default void parked(int blocker, boolean timedOut) {}

    /**
     * A heap dump that was asked for has been written.
     *
     * @param bytes of the file; -1 if it could not be written
     */
    default void heapDump(String file, long bytes) {}
}
