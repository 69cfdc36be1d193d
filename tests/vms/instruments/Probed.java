import java.util.function.IntUnaryOperator;

/** What the tests of instruments run. */
public class Probed {
    int held = 3;
    static long total;
    final String name;

    Probed(String name) {
        this.name = name;
    }

    static int add(int a, int b) {
        return a + b;
    }

    static long mix(int a, long b, double c, float d, String s, boolean z, char k, byte[] bytes) {
        return a + b + (long) c + (long) d + s.length() + (z ? 1 : 0) + k + bytes.length;
    }

    int fact(int n) {
        if (n <= 1) {
            return held - 2;
        }
        return n * fact(n - 1);
    }

    static double half(double d) {
        return d / 2;
    }

    static float twice(float f) {
        return f * 2;
    }

    static Object same(Object o) {
        return o;
    }

    static int seven() {
        return 7;
    }

    static void nothing() {
    }

    static int fails(int n) {
        if (n == 0) {
            throw new IllegalStateException("deep");
        }
        return fails(n - 1) + 1;
    }

    synchronized int locked(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
            held = sum;
        }
        synchronized (name) {
            total += sum;
        }
        return held;
    }

    /** Calls everything with known arguments. */
    public static int calls() {
        Probed p = new Probed("prob\u00e9");
        int h = add(2, 3);
        h = h * 31 + (int) mix(1, 2L, 3.5, 4.5f, "five", true, 'x', new byte[9]);
        h = h * 31 + p.fact(5);
        h = h * 31 + (int) half(9) + (int) twice(4.25f) + seven();
        h += same("me") == "me" ? 1 : 0;
        nothing();
        try {
            fails(3);
        } catch (IllegalStateException e) {
            h = h * 31 + e.getMessage().length();
        }
        IntUnaryOperator f = x -> x + 1;
        h = h * 31 + f.applyAsInt(4);
        h = h * 31 + p.locked(10);
        return h;
    }

    /** A method called often. */
    public static int often() {
        int sum = 0;
        for (int i = 0; i < 4_000_000; i++) {
            sum = add(sum, i);
        }
        return sum;
    }

    static int inner(int n) {
        int h = 1;
        for (int i = 0; i < n; i++) {
            h = h * 31 + i;
            if ((h & 7) == 3) {
                h ^= i;
            }
        }
        return h;
    }

    static int outer(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            h += inner(i);
            Object[] some = new Object[i];
            h += some.length;
        }
        return h;
    }

    /** Loops in loops. */
    public static int loops() {
        return outer(50);
    }

    /** Threads that share a monitor. */
    public static int threads() throws InterruptedException {
        Probed p = new Probed("shared");
        Thread[] all = new Thread[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                for (int k = 0; k < 50; k++) {
                    p.locked(30);
                    inner(20);
                }
            }, "worker-" + i);
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
        return p.held;
    }

    /** For agents. */
    public static void main(String[] args) {
        System.out.println(calls() + " " + loops());
    }
}
