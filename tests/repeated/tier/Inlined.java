import java.util.function.IntUnaryOperator;

/** Calls of small methods, which compiled code has in it: Inlined ROUNDS. */
public class Inlined {
    static class Point {
        static int made;
        int x;
        long y;
        double z;
        float w;
        Object o;
        Point(int x) { this.x = x; made++; }
        int x() { return x; }
        void x(int x) { this.x = x; }
        long y() { return y; }
        long add(long n) { return y += n; }
        double z() { return z; }
        double scaled(double by) { return z * by + x; }
        float w() { return w; }
        Object o() { return o; }
        void o(Object o) { this.o = o; }
        boolean isSmall() { return x < 10; }
        int clamp(int low, int high) { return x < low ? low : x > high ? high : x; }
        int nothing() { return 7; }
        void none() { }
    }

    interface Shape {
        int sides();
        int area(int n);
        default int corners() { return 9; }
    }
    static class Square implements Shape {
        public int sides() { return 4; }
        public int area(int n) { return n * n; }
    }
    static class Triangle implements Shape {
        int half = 2;
        public int sides() { return 3; }
        public int area(int n) { return n * n / half; }
        public int corners() { return half + 1; }
    }
    static class Line implements Shape {
        public int sides() { return 1; }
        public int area(int n) { return n > 100 ? 1 : 0; }
    }
    static class Dot extends Line {
        @Override public int sides() { return 0; }
    }
    static class Star extends Triangle {
        @Override public int sides() { return half * 5; }
    }
    /** Loaded when all else has been compiled. */
    static class Late extends Square {
        @Override public int sides() { return super.sides() + 100; }
        @Override public int corners() { throw new IllegalStateException("late"); }
    }
    static class Base {
        int id() { return 1; }
        final int twice() { return id() * 2; }
    }
    static class Derived extends Base {
        static { Point.made += 1000; }
        @Override int id() { return 5; }
    }

    static int at(int[] a, int i) { return a[i]; }
    static void put(Object[] a, int i, Object o) { a[i] = o; }
    static int quotient(int a, int b) { return a / b; }
    static String text(Object o) { return (String) o; }
    static int length(int[] a) { return a.length; }
    static int max(int a, int b) { return a > b ? a : b; }
    static long mix(long a, int b) { return (a ^ a >>> 7) * 31 + b; }
    static double mean(double a, double b) { return (a + b) / 2; }
    static int sign(double d) { return d > 0 ? 1 : d < 0 ? -1 : 0; }
    static boolean is(Object o) { return o instanceof Point; }
    static int changed(int a) {
        a += 3;
        a = a * a;
        return a - 1;
    }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    static long plain(int n, Point p) {
        long sum = 0;
        int a = 1, b = 2, c = 3;
        double d = 0;
        for (int i = 0; i < n; i++) {
            p.x(i % 30);
            a += p.x() + p.nothing();
            b ^= p.clamp(5, 20);
            c = max(max(a, b), changed(i));
            sum = mix(sum, c) + p.add(i) + p.y();
            d = mean(d, p.scaled(0.5)) + p.z() + p.w();
            p.z = d / 3;
            p.w = (float) d;
            p.none();
            p.o(p.isSmall() ? p : "large");
            sum += is(p.o()) ? sign(d - 5) : 3;
            sum += new Point(i).x() + new Base().twice();
        }
        return sum + a + b + c + (long) d;
    }

    static long shapes(Shape[] of, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Shape s = of[i % of.length];
            sum = sum * 3 + s.sides() + s.area(i % 200);
            try {
                sum += s.corners();
            } catch (IllegalStateException e) {
                sum += e.getStackTrace()[0].getLineNumber() + e.getStackTrace().length;
            }
        }
        return sum;
    }
    static long bases(Base[] of, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Base b = of[i % of.length];
            sum += b.id() + b.twice();
        }
        return sum;
    }

    /** What the exception says of itself and of the place. */
    static int kindOf(RuntimeException e) {
        StackTraceElement[] trace = e.getStackTrace();
        String text = e.getMessage() + trace[0] + trace[1] + trace.length;
        return text.hashCode();
    }
    static long faults(int n, Point[] points, Object[] objects) {
        long sum = 0;
        int[] a = {3, 0, 5};
        for (int i = 0; i < n; i++) {
            int before = i * 3;
            try {
                switch (i % 7) {
                    case 0: sum += at(a, i % 4); break;
                    case 1: sum += quotient(i, i % 5); break;
                    case 2: sum += text(objects[i % 3]).length(); break;
                    case 3: put(objects, i % 4, i % 2 == 0 ? "x" : (Object) points); break;
                    case 4: sum += points[i % 3].x(); break;
                    case 5: sum += length(i % 3 == 0 ? null : a); break;
                    default: sum += at(i % 5 == 0 ? null : a, 1);
                }
            } catch (RuntimeException e) {
                sum = sum * 7 + kindOf(e) + before;
            }
        }
        return sum;
    }

    static int depth;
    static int deep(Point p, int n) {
        depth = n;
        p.x(max(p.x(), n));
        return deep(p, changed(n) > 0 ? n + 1 : n + 2) + p.x();
    }

    static void once(int n, Shape[][] groups, Base[] bases) {
        Point p = new Point(3);
        System.out.print(plain(n, p) + " " + p.y() + " " + fib(n < 1000 ? 8 : 18));
        for (Shape[] group : groups) {
            System.out.print(" " + shapes(group, n / 2));
        }
        System.out.print(" " + bases(bases, n));
        Point[] points = {p, null, new Point(2)};
        System.out.println(" " + faults(n / 8, points, new Object[] {"a", 1, null, "b"})
                + " " + faults(n / 8, points, new String[] {"a", "bc", null, "b"}));
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        Shape square = new Square(), triangle = new Triangle(), line = new Line(), dot = new Dot(), star = new Star();
        Shape[][] groups = {{square}, {square, triangle}, {square, triangle, dot}, {square, triangle, line, dot, star}};
        Base[] bases = {new Base()};
        once(n, groups, bases);
        once(n, groups, bases);
        // other receivers, at places that have been compiled
        Shape late = (Shape) Class.forName("Inlined$Late").getDeclaredConstructor().newInstance();
        Base derived = (Base) Class.forName("Inlined$Derived").getDeclaredConstructor().newInstance();
        once(n, new Shape[][] {{late}, {dot, late}, {star}, {late, square, line, triangle, dot, star}}, new Base[] {derived, bases[0]});
        IntUnaryOperator f = x -> changed(x) + 1;
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += f.applyAsInt(i);
        }
        Thread[] threads = new Thread[3];
        long[] sums = new long[threads.length];
        for (int t = 0; t < threads.length; t++) {
            int number = t;
            threads[t] = new Thread(() -> sums[number] = plain(n, new Point(number)) + shapes(groups[3], n));
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(sum + " " + sums[0] + " " + sums[1] + " " + sums[2] + " " + Point.made);
        for (int i = 0; i < 3; i++) {
            try {
                deep(new Point(i), 0);
            } catch (StackOverflowError e) {
                System.out.println(depth > 500);
            }
        }
    }
}
