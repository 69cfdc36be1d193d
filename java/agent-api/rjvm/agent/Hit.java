package rjvm.agent;

/** A moment at which an {@link Instrument} is told. */
public final class Hit {
    /** The instrument's number. */
    public final int instrument;
    /** The method's number: see {@link VM#getMethodName}. */
    public final int method;
    /** The line of the bytecode it is at; 0 if that is not known. */
    public final int line;
    /** The arguments as text, {@code this} not counted: numbers, strings in quotes, other objects by their class. */
    public final String[] arguments;
    /** After a return the result as text, after an exception its class; else null. */
    public final String result;
    /** The method is left by an exception. */
    public final boolean thrown;
    /** With {@link VM#AROUND}, after: bytecodes that the call has executed, callees included; else -1. */
    public final long bytecodes;
    /** With {@link VM#AROUND}, after: bytes that it has allocated; else -1. */
    public final long allocated;
    /** The method had been entered before the instrument was placed: the two counts are those since then. */
    public final boolean late;

    Hit(int instrument, int method, int line, String[] arguments, String result, int flags, long bytecodes, long allocated) {
        this.instrument = instrument;
        this.method = method;
        this.line = line;
        this.arguments = arguments;
        this.result = result;
        this.thrown = (flags & 2) != 0;
        this.late = (flags & 4) != 0;
        this.bytecodes = bytecodes;
        this.allocated = allocated;
    }
}
