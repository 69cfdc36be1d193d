package rjvm.agent;

/**
 * An agent that is given the exact counts of each thread. It is called in the thread it is told about,
 * or rather in that thread's twin: {@link Thread#currentThread} has its name, priority and daemon
 * status. What the agent itself does is neither counted nor visible to the program.
 */
public interface Profiler {
    /**
     * A thread begins; it has executed nothing yet.
     *
     * @return the number of bytecodes it executes until its first report; 0 or less: it is never reported
     */
    int register(Thread t, RC rc);

    /**
     * The current thread has executed as many bytecodes as were last asked for; the last of them has
     * begun. The counters of all contexts of {@code rc} are up to date. After the end of a thread,
     * and when the program is over, they are brought up to date once more without a report.
     *
     * @param rc the thread's root context, the same in each call
     * @param currentIC the context that is being executed
     * @return the number of bytecodes until the next report; 0 or less: there is none
     */
    int report(RC rc, IC currentIC);
}
