package rjvm.agent;

/** An agent that is given samples of the stack. It is called as a {@link Profiler} is. */
public interface SamplingProfiler {
    /**
     * A thread begins; it has executed nothing yet.
     *
     * @return the number of bytecodes it executes until its first sample; 0 or less: it is never sampled
     */
    int register(Thread t);

    /**
     * A sample of the current thread.
     *
     * @param stack the methods on the stack from the bottom: {@code stack[0]} to {@code stack[sp - 1]},
     *     which is the one that is being executed. It is the same array in each call for a thread, or a
     *     longer one with the same elements; only the elements of frames that differ from the last
     *     sample's are written, so that an agent may put objects of its own into it and find them again
     * @param sp number of frames, at least 1
     * @param bytecodes bytecodes the thread has executed since its last sample or its beginning
     * @return the number of bytecodes until the next sample; 0 or less: there is none
     */
    int processSample(MID[] stack, int sp, int bytecodes);
}
