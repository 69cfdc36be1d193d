/** Stack overflows: caught at any depth, traces of 1024 frames, finally blocks and locks on the way, and life goes on. */
public class DeepStack {
    static int depth, finals;
    static final Object lock = new Object();

    static int recurse(int n) { depth = n; return recurse(n + 1) + 1; }
    static long wide(long a, double b, int n) { depth = n; return wide(a + 1, b * 2, n + 1) + (long) b; }
    static synchronized void locked(int n) { depth = n; locked(n + 1); }
    static void withFinally(int n) { try { depth = n; withFinally(n + 1); } finally { finals++; } }
    interface Node { int size(); }
    record Pair(Object left, Object right) { }

    static void overflow(String what, Runnable r) {
        depth = 0;
        try {
            r.run();
            System.out.println(what + " ended");
        } catch (StackOverflowError e) {
            StackTraceElement[] t = e.getStackTrace();
            System.out.println(what + " " + (depth > 500) + " " + t.length + " " + t[0].getMethodName() + " " + e.getMessage() + " " + e.getCause());
        }
    }

    public static void main(String[] args) throws Exception {
        overflow("recurse", () -> recurse(0));
        overflow("again", () -> recurse(0));
        overflow("wide", () -> wide(1, 2, 0));
        overflow("locked", () -> locked(0));
        System.out.println("lock free " + !Thread.holdsLock(DeepStack.class));
        overflow("finally", () -> withFinally(0));
        System.out.println(finals > 500);
        Thread t = new Thread(null, () -> overflow("thread", () -> recurse(0)), "small", 256 << 10);
        t.start();
        t.join();
        Throwable cause = null;
        for (int i = 0; i < 3000; i++) cause = new Exception("level " + i, cause);
        int links = 0;
        for (Throwable c = cause; c != null; c = c.getCause()) links++;
        System.out.println(links);
        Object deep = null;
        for (int i = 0; i < 200_000; i++) deep = new Pair(deep, i);
        try { System.out.println(deep.hashCode()); } catch (StackOverflowError e) { System.out.println("too deep to hash"); }
        Exception far = make(2000);
        System.out.println(far.getStackTrace().length + " " + far.getStackTrace()[1023].getMethodName());
    }

    static Exception make(int n) { return n == 0 ? new Exception() : make(n - 1); }
}
