package rjvm.agent;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An invocation context: all invocations of a method with the same methods on the stack below it.
 * The counters go up while the program runs, and are exact whenever the agent is called.
 */
public class IC {
    long invoc;
    long instr;

    /** The contexts of the methods called in this context, in the order they were first seen. For reading only. */
    public final Map<MID, IC> callees = new LinkedHashMap<>(4);

    IC() {
    }

    /** Number of invocations since the last {@link #reset}. */
    public final long getInvoc() {
        return invoc;
    }

    /** Number of bytecodes executed in this context, callees excluded, since the last {@link #reset}. */
    public final long getInstr() {
        return instr;
    }

    /** Sets both counters to zero. The profile that the VM itself keeps is not affected. */
    public final void reset() {
        invoc = instr = 0;
    }

    final IC callee(MID mid) {
        IC ic = callees.get(mid);
        if (ic == null) {
            ic = new IC();
            callees.put(mid, ic);
        }
        return ic;
    }
}
