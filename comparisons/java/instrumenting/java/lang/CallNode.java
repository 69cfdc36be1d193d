package java.lang;

/**
 * A calling context of a program whose class files count for themselves. Class {@link Thread} gets a field {@code callNode}, in which
 * each thread keeps the context that it executes. Nothing here calls a method that counts.
 */
public final class CallNode {
    private static final CallNode NONE = new CallNode(null, -1);
    private static CallNode roots;
    /** Whether anything is counted. Before a VM has started, asking for the thread would call Java methods, which count. */
    private static boolean counting;

    /** The caller's context; null for the first one of a thread. */
    public final CallNode parent;
    public final int method;
    public long calls;
    public long bytecodes;
    /** The children, and the one that was called last. */
    private CallNode first;
    private CallNode next;
    private CallNode recent;
    /** Another thread's first context. */
    private CallNode nextRoot;

    private CallNode(CallNode parent, int method) {
        this.parent = parent;
        this.method = method;
    }

    /** From now on, it counts. */
    public static void start() {
        counting = true;
    }

    /** The start of a method. */
    public static CallNode enter(int method) {
        if (!counting) {
            return NONE;
        }
        Thread thread = Thread.currentThread();
        CallNode caller = thread.callNode;
        if (caller == null) {
            caller = root(thread);
        }
        CallNode node = caller.recent;
        if (node == null || node.method != method) {
            node = caller.child(method);
        }
        node.calls++;
        thread.callNode = node;
        return node;
    }

    /** The method returns. */
    public void leave() {
        if (counting) {
            Thread.currentThread().callNode = parent;
        }
    }

    /** The method handles an exception: whatever it has called is over. */
    public void caught() {
        if (counting) {
            Thread.currentThread().callNode = this;
        }
    }

    /** Until {@link #caught} is called on what this returns, the thread counts into a context that no profile has. */
    public static CallNode pause() {
        Thread thread = Thread.currentThread();
        CallNode node = thread.callNode;
        if (node == null) {
            node = root(thread);
        }
        thread.callNode = new CallNode(null, -1);
        return node;
    }

    /** The first context of the thread that was seen last; the others follow. */
    public static synchronized CallNode firstRoot() {
        return roots;
    }

    public CallNode nextRoot() {
        return nextRoot;
    }

    public CallNode firstChild() {
        return first;
    }

    public CallNode nextSibling() {
        return next;
    }

    private static synchronized CallNode root(Thread thread) {
        CallNode root = new CallNode(null, -1);
        root.nextRoot = roots;
        roots = root;
        thread.callNode = root;
        return root;
    }

    private CallNode child(int method) {
        CallNode before = null;
        for (CallNode node = first; node != null; before = node, node = node.next) {
            if (node.method == method) {
                if (before != null) {
                    // what is called often comes first
                    before.next = node.next;
                    node.next = first;
                    first = node;
                }
                recent = node;
                return node;
            }
        }
        CallNode node = new CallNode(this, method);
        node.next = first;
        first = node;
        recent = node;
        return node;
    }
}
