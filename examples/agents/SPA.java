import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import rjvm.agent.IC;
import rjvm.agent.MID;
import rjvm.agent.Profiler;
import rjvm.agent.RC;

/**
 * A simple profiling agent, as section 5.4 of "Exact and Portable Profiling for the JVM Using Bytecode
 * Instruction Counting" (Binder, Hulaas) describes it: one tree for all threads, to which each report adds what the
 * thread has executed since its last one. It is written to a file when the program is over.
 *
 * Properties: {@code spa.granularity} (default: the greatest), {@code spa.output} (spa.txt).
 */
public class SPA implements Profiler {
    private static final class Node {
        final Map<MID, Node> callees = new LinkedHashMap<>();
        long invoc;
        long instr;
    }

    /** A thread whose counts are still to be taken over when it is gone. */
    private static final class Registered extends WeakReference<Thread> {
        final RC rc;

        Registered(Thread t, RC rc, ReferenceQueue<Thread> queue) {
            super(t, queue);
            this.rc = rc;
        }
    }

    private final Node tree = new Node();
    private final Map<Reference<?>, Registered> threads = new LinkedHashMap<>();
    private final ReferenceQueue<Thread> gone = new ReferenceQueue<>();
    private final int granularity = Integer.getInteger("spa.granularity", Integer.MAX_VALUE);
    private final String output = System.getProperty("spa.output", "spa.txt");

    public SPA() {
        Thread collector = new Thread(this::collect, "SPA");
        collector.setDaemon(true);
        collector.setPriority(Thread.MAX_PRIORITY);
        collector.start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::write));
    }

    @Override
    public synchronized int register(Thread t, RC rc) {
        Registered r = new Registered(t, rc, gone);
        threads.put(r, r);
        return granularity;
    }

    @Override
    public synchronized int report(RC rc, IC currentIC) {
        take(rc);
        return granularity;
    }

    /** Adds a thread's counts to the tree and resets them. */
    private void take(RC rc) {
        Deque<IC> contexts = new ArrayDeque<>();
        Deque<Node> nodes = new ArrayDeque<>();
        contexts.push(rc);
        nodes.push(tree);
        while (!contexts.isEmpty()) {
            IC ic = contexts.pop();
            Node node = nodes.pop();
            node.invoc += ic.getInvoc();
            node.instr += ic.getInstr();
            ic.reset();
            for (Map.Entry<MID, IC> callee : ic.callees.entrySet()) {
                contexts.push(callee.getValue());
                nodes.push(node.callees.computeIfAbsent(callee.getKey(), m -> new Node()));
            }
        }
    }

    /** Takes over the counts of threads that have ended and been collected. */
    private void collect() {
        try {
            while (true) {
                Reference<? extends Thread> thread = gone.remove();
                synchronized (this) {
                    take(threads.remove(thread).rc);
                }
            }
        } catch (InterruptedException e) {
            // nobody does that
        }
    }

    /** A line for each context in preorder: its depth, invocations, bytecodes, and the method. */
    private synchronized void write() {
        threads.values().forEach(r -> take(r.rc));
        try (PrintWriter out = new PrintWriter(output)) {
            Deque<Iterator<Map.Entry<MID, Node>>> path = new ArrayDeque<>();
            path.push(tree.callees.entrySet().iterator());
            while (!path.isEmpty()) {
                if (!path.peek().hasNext()) {
                    path.pop();
                    continue;
                }
                Map.Entry<MID, Node> callee = path.peek().next();
                Node node = callee.getValue();
                out.println(path.size() + " " + node.invoc + " " + node.instr + " " + callee.getKey());
                path.push(node.callees.entrySet().iterator());
            }
        } catch (IOException e) {
            System.err.println("SPA: " + e);
        }
    }
}
