/** StackOverflowError is an exception like others: caught, repeated, finally blocks run, threads go on. */
public class StackOverflow {
    static int depth, max, finallies;
    static long sum;

    static void down() { depth++; down(); }

    static int value(int n) { return value(n + 1) + 1; }

    static long args(long a, double b, Object c, int d) { depth++; return args(a + 1, b + 1, c, d + 1) + d; }

    static void withFinally() {
        depth++;
        try {
            withFinally();
        } finally {
            finallies++;
        }
    }

    static synchronized void locked() { depth++; locked(); }

    interface F { int f(int n); }

    static class Node {
        Node next;
        @Override public int hashCode() { return next.hashCode() + 1; }
        @Override public String toString() { return "n" + next; }
    }

    static String attempt(Runnable r) {
        depth = 0;
        try {
            r.run();
            return "returned";
        } catch (StackOverflowError e) {
            return "overflow " + e.getMessage() + " " + (depth == 0 || depth > 500) + " " + (e.getStackTrace().length == 1024) + " " + (e.getCause() == null);
        }
    }

    static boolean bigFrames(int n) {
        long a = n, b = a + 1, c = b + 1, d = c + 1, e = d + 1, f = e + 1, g = f + 1, h = g + 1;
        return bigFrames((int) (a + b + c + d + e + f + g + h)) && a > b;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) System.out.println(attempt(StackOverflow::down));
        System.out.println(attempt(() -> value(0)));
        System.out.println(attempt(() -> args(0, 0, "x", 0)));
        System.out.println(attempt(StackOverflow::withFinally) + " " + (finallies > 500));
        System.out.println(attempt(StackOverflow::locked) + " " + Thread.holdsLock(StackOverflow.class));
        System.out.println(attempt(() -> bigFrames(1)));
        Node n = new Node();
        n.next = n;
        System.out.println(attempt(n::hashCode));
        F[] f = new F[1];
        f[0] = k -> { depth++; return f[0].f(k + 1) + 1; };
        System.out.println(attempt(() -> f[0].f(0)));
        String[] result = new String[1];
        Thread t = new Thread(null, () -> result[0] = attempt(StackOverflow::down), "small", 512 * 1024);
        t.start();
        t.join();
        System.out.println(result[0]);
        int survived = 0;
        for (int i = 0; i < 20; i++) {
            try {
                down();
            } catch (Error e) {
                survived++;
            }
        }
        System.out.println(survived);
    }
}
