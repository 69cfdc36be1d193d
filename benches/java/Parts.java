import java.util.function.IntUnaryOperator;

/** Times single operations: nanoseconds each, the smallest of several rounds. */
class Parts {
    static int deep(int n) {
        if (n == 0) throw new IllegalStateException();
        return deep(n - 1) + 1;
    }
    static final RuntimeException READY = new RuntimeException("x", null, false, false) { };
    static int deepReady(int n) {
        if (n == 0) throw READY;
        return deepReady(n - 1) + 1;
    }
    abstract static class Shape { abstract int area(int x); }
    static final class Square extends Shape { int area(int x) { return x * x; } }
    static final class Line extends Shape { int area(int x) { return x; } }
    interface Body { int run(int n); }
    static void time(String name, int n, Body body) {
        long best = Long.MAX_VALUE;
        int sum = 0;
        for (int i = 0; i < 7; i++) {
            long begin = System.nanoTime();
            sum += body.run(n);
            best = Math.min(best, System.nanoTime() - begin);
        }
        System.out.printf("%-12s %8.1f%n", name, (double) best / n);
        if (sum == 42) System.out.println();
    }
    static final class Node { Node next; int v; }
    static Object keep;
    public static void main(String[] args) {
        time("throw", 30_000, n -> { int c = 0; for (int i = 0; i < n; i++) try { deep(5); } catch (IllegalStateException e) { c++; } return c; });
        time("throw-ready", 100_000, n -> { int c = 0; for (int i = 0; i < n; i++) try { deepReady(5); } catch (RuntimeException e) { c++; } return c; });
        Shape s = args.length == 0 ? new Square() : new Line();
        IntUnaryOperator f = x -> x * x;
        time("loop", 1_000_000, n -> { int c = 0; for (int i = 0; i < n; i++) c += i * i; return c; });
        time("virtual", 1_000_000, n -> { int c = 0; for (int i = 0; i < n; i++) c += s.area(i); return c; });
        time("lambda", 1_000_000, n -> { int c = 0; for (int i = 0; i < n; i++) c += f.applyAsInt(i); return c; });
        int[] k = {3};
        IntUnaryOperator g = x -> x * k[0];
        time("lambda-capt", 1_000_000, n -> { int c = 0; for (int i = 0; i < n; i++) c += g.applyAsInt(i); return c; });
        time("monitor", 1_000_000, n -> { int c = 0; Object o = new Object(); for (int i = 0; i < n; i++) synchronized (o) { c += i * i; } return c; });
        time("alloc", 1_000_000, n -> { Node p = null; for (int i = 0; i < n; i++) { Node q = new Node(); q.v = i; p = q; } keep = p; return p.v; });
        time("alloc-array", 1_000_000, n -> { int[] p = null; for (int i = 0; i < n; i++) { p = new int[8]; } keep = p; return p.length; });
        byte[] a = new byte[1024], b = new byte[1024];
        time("copy-1k", 300_000, n -> { for (int i = 0; i < n; i++) System.arraycopy(a, 0, b, 0, 1024); return b[3]; });
        time("copy-16", 300_000, n -> { for (int i = 0; i < n; i++) System.arraycopy(a, 0, b, 0, 16); return b[3]; });
        time("concat", 200_000, n -> { int c = 0; for (int i = 0; i < n; i++) { String t = "a" + i + "b"; c += t.length(); } return c; });
        time("checkcast", 1_000_000, n -> { int c = 0; Object o = s; for (int i = 0; i < n; i++) { if (o instanceof Shape) c++; } return c; });
        time("switch", 1_000_000, n -> { int c = 0; for (int i = 0; i < n; i++) { switch (i & 7) { case 0: c++; break; case 1: c += 2; break; case 2: c ^= 3; break; case 3: c += 4; break; case 4: c -= 3; break; default: c += 5; } } return c; });
    }
}
