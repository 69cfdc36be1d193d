import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the embedding tests run: each method returns a number that depends on everything it did. */
public class Guest {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    /** Loops, switches, arrays, long and double arithmetic. */
    public static int loops() {
        int[] a = new int[64];
        long h = 1;
        double d = 0.5;
        for (int i = 0; i < 400; i++) {
            int k = i & 63;
            a[k] += i * 31 ^ (i >>> 2);
            switch (i % 7) {
                case 0: h = h * 31 + a[k]; break;
                case 1: h ^= h << 7; break;
                case 3: d = d * 1.5 - i; break;
                case 5: d = Math.abs(d) % 1000.0; break;
                default: h += (long) d;
            }
            for (int j = i % 3; j < 3; j++) h += j;
            int w = i % 5;
            while (w > 0) { h -= w; w--; }
        }
        for (int v : a) h = h * 17 + v;
        return (int) (h ^ h >>> 32);
    }

    /** Static, virtual and interface calls. */
    public static int calls() {
        Shape[] shapes = {new Square(3), new Circle(4), new Square(5)};
        int sum = fib(11);
        for (int i = 0; i < 60; i++) {
            Shape s = shapes[i % 3];
            sum = sum * 7 + s.area() + s.twice();
        }
        return sum;
    }

    interface Shape {
        int area();
        default int twice() { return 2 * area(); }
    }

    static abstract class Base implements Shape {
        final int size;
        Base(int size) { this.size = size; }
    }

    static class Square extends Base {
        Square(int size) { super(size); }
        public int area() { return size * size; }
    }

    static class Circle extends Base {
        Circle(int size) { super(size); }
        public int area() { return size * size * 3; }
        @Override public int twice() { return area() + area(); }
    }

    static class Oops extends RuntimeException {
        final int code;
        Oops(int code) { this.code = code; }
    }

    static int thrower(int n, int[] log) {
        try {
            if (n % 5 == 0) throw new Oops(n);
            if (n % 5 == 1) return log[n + 1000];
            if (n % 5 == 2) return n / (n - n);
            if (n % 5 == 3) return ((String) null).length();
            return (Integer) (Object) "text";
        } finally {
            log[n % log.length]++;
        }
    }

    /** Exceptions, thrown by instructions and by hand, caught here and in callers. */
    public static int exceptions() {
        int[] log = new int[8];
        int sum = 0;
        for (int i = 0; i < 40; i++) {
            try {
                sum += thrower(i, log);
            } catch (Oops e) {
                sum += e.code;
            } catch (ArithmeticException | NullPointerException e) {
                sum = sum * 3 + 1;
            } catch (RuntimeException e) {
                sum = sum * 5 + e.getClass().getName().length();
            }
        }
        for (int n : log) sum = sum * 11 + n;
        return sum;
    }

    /** Natives, strings, collections, lambdas. */
    public static int natives() {
        StringBuilder b = new StringBuilder();
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            String key = "k" + i % 4;
            counts.merge(key, i, Integer::sum);
            b.append(key).append(Math.sqrt(i)).append(';');
        }
        char[] chars = b.toString().toCharArray();
        char[] copy = new char[chars.length];
        System.arraycopy(chars, 0, copy, 0, chars.length);
        List<Integer> list = new ArrayList<>(counts.values());
        list.sort((x, y) -> y - x);
        return new String(copy).hashCode() * 31 + list.hashCode() + copy.clone().length;
    }

    static class First {
        static int order = 1;
        static int value = Second.value * 10 + order++;
    }

    static class Second {
        static int value = First.order++ + fib(8);
        static void fail() { throw new IllegalStateException(); }
    }

    static class Broken {
        static int value = fib(6) / (First.order - First.order);
    }

    /** Class initialisers, one of which throws. */
    public static int initialisers() {
        int sum = First.value * 100 + Second.value;
        for (int i = 0; i < 3; i++) {
            try {
                sum += Broken.value;
            } catch (ExceptionInInitializerError e) {
                sum = sum * 3 + 1;
            } catch (NoClassDefFoundError e) {
                sum = sum * 5 + 2;
            }
        }
        return sum;
    }

    static int shared;
    static int[] turns = new int[256];

    static synchronized void bump(int by) {
        if (shared < turns.length) turns[shared] = by;
        shared++;
    }

    /** Threads whose interleaving shows in the result. */
    public static int threads() throws InterruptedException {
        shared = 0;
        Object lock = new Object();
        int[] waits = new int[1];
        Thread[] all = new Thread[4];
        for (int t = 0; t < all.length; t++) {
            int id = t + 1;
            all[t] = new Thread(() -> {
                for (int i = 0; i < 50; i++) {
                    bump(id);
                    if (i % 10 == id) fib(6);
                    if (i % 16 == 3) {
                        synchronized (lock) {
                            waits[0] += id;
                            lock.notifyAll();
                        }
                    }
                }
            });
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        int h = shared + waits[0];
        for (int t : turns) h = h * 31 + t;
        return h;
    }

    int size = 3;

    static int spin(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i * 7;
        return sum;
    }
    int sizes(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += spin(100) + size;
        return sum;
    }

    /** Reads a field of an object that a host may take away meanwhile. */
    public static int taken() {
        try {
            return new Guest().sizes(1000);
        } catch (NullPointerException e) {
            return -1;
        }
    }

    /** Everything. */
    public static int all() throws InterruptedException {
        return loops() + 3 * calls() + 5 * exceptions() + 7 * natives() + 11 * initialisers()
            + 13 * threads();
    }
}
