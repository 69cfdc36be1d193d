import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

import rjvm.agent.MID;
import rjvm.agent.MIDImpl;
import rjvm.agent.SamplingProfiler;

/**
 * The optimised sampling agent of the Komorium paper (figure 9): it keeps the nodes of its tree in the array with the stack,
 * where it finds them again for all frames that have not changed since the last sample. The tree is
 * written to a file when the program is over, as collapsed stacks: {@code a;b;c samples}.
 *
 * Properties: {@code sa.granularity} (default 10000), {@code sa.output} (sa.folded).
 */
public class SA implements SamplingProfiler, Runnable {
    private static final class InvocationNode implements MID {
        final Map<MID, InvocationNode> callees = new LinkedHashMap<>(4);
        long counter;

        InvocationNode getOrCreateCallee(MID mid) {
            return callees.computeIfAbsent(mid, m -> new InvocationNode());
        }
    }

    private final InvocationNode root = new InvocationNode();
    private long totalBytecodes;
    private final int granularity = Integer.getInteger("sa.granularity", 10_000);
    private final String output = System.getProperty("sa.output", "sa.folded");

    public SA() {
        Runtime.getRuntime().addShutdownHook(new Thread(this));
    }

    @Override
    public int register(Thread t) {
        return granularity;
    }

    @Override
    public synchronized int processSample(MID[] stack, int sp, int bytecodes) {
        totalBytecodes += bytecodes;
        int i = sp;
        while (i > 0 && !(stack[i - 1] instanceof InvocationNode)) {
            --i;
        }
        InvocationNode n = i == 0 ? root : (InvocationNode) stack[i - 1];
        for (; i < sp; ++i) {
            n = n.getOrCreateCallee(stack[i]);
            stack[i] = n;
        }
        ++n.counter;
        return granularity;
    }

    /** The shutdown hook. */
    @Override
    public synchronized void run() {
        try (PrintWriter out = new PrintWriter(output)) {
            Deque<Map.Entry<String, InvocationNode>> rest = new ArrayDeque<>();
            rest.push(Map.entry("", root));
            long samples = 0;
            while (!rest.isEmpty()) {
                Map.Entry<String, InvocationNode> at = rest.pop();
                InvocationNode node = at.getValue();
                samples += node.counter;
                if (node.counter > 0) {
                    out.println(at.getKey() + " " + node.counter);
                }
                String before = at.getKey().isEmpty() ? "" : at.getKey() + ";";
                node.callees.forEach((mid, callee) -> {
                    MIDImpl m = (MIDImpl) mid;
                    String name = m.getClassName() + "." + m.getMethodNameSig().replace(';', ',');
                    rest.push(Map.entry(before + name, callee));
                });
            }
            System.err.println("SA: " + samples + " samples, " + totalBytecodes + " bytecodes, in " + output);
        } catch (IOException e) {
            System.err.println("SA: " + e);
        }
    }
}
