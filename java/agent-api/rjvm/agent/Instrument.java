package rjvm.agent;

/**
 * What is done at points of the program: JUDI's plan block. An {@link EventListener} places it ({@link VM#addInstrument}). It runs in
 * the agent's VM and sees the program as it is then; the program executes the same bytecodes as without it. One that throws is
 * told no more.
 */
public interface Instrument {
    /** A method has been entered, or a basic block begins. */
    default void before(Hit hit) {
    }

    /** A method returns, or is left by an exception. */
    default void after(Hit hit) {
    }
}
