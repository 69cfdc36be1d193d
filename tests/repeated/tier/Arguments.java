/** Arguments of inlined callees, which are copied late; and quotients of constants. */
public class Arguments {
    interface Shape {
        int area(int scale, int other);
        Shape self();
    }
    static final class Square implements Shape {
        final int side;
        Square next;
        Square(int side) {
            this.side = side;
        }
        public int area(int scale, int other) {
            return clamp(side * scale, other) * side;
        }
        public Shape self() {
            return this;
        }
        Square last() {
            return next;
        }
    }
    static final class Bar implements Shape {
        final int a;
        final long b;
        Bar(int a, long b) {
            this.a = a;
            this.b = b;
        }
        public int area(int scale, int other) {
            other = scale - other;
            scale += a;
            return (int) (sum(scale, b, other) + swapped(scale, other));
        }
        public Shape self() {
            return this;
        }
    }

    static int clamp(int x, int limit) {
        return x < limit ? x : x > 2 * limit ? limit : smaller(limit, x);
    }
    static int smaller(int a, int b) {
        return a < b ? a : b;
    }
    static int less(int a, int b) {
        return a - 3 * b;
    }
    /** Each argument goes where the other one was. */
    static int swapped(int a, int b) {
        return less(b, a) ^ less(a, b);
    }
    /** Changes its arguments, on some ways only. */
    static int changes(int a, int b) {
        if ((a & 3) == 1) {
            a = b;
            b = 7;
        } else if ((b & 1) == 0) {
            b = a;
        }
        return less(a, b) + less(b, b);
    }
    static long sum(int a, long b, int c) {
        return wide(b, a) - c;
    }
    static long wide(long b, int a) {
        return b * a + 1;
    }
    static double mixed(double x, float y, long z) {
        return scaled(z, x) - scaled((long) y, y);
    }
    static double scaled(long n, double by) {
        return by * n + 0.5;
    }
    /** The caller's variable changes while its old value is an argument. */
    static int old(int x) {
        int y = x;
        int result = less(x++, less(x, y)) + less(y, x) + less(x += 2, y = x) * y;
        result += less(x, x = x * 3) - less(y, less(y = y - x, y));
        result ^= less(x, x = smaller(y, 5)) + less(y, y = length(x));
        return result + less(x, x = lengths[y & 3]);
    }
    static final int[] lengths = {5, 0, 7, -2};
    static int length(int i) {
        return lengths[i & 3];
    }
    static long many(int n) {
        Shape[] shapes = {new Square(3), new Bar(4, 1L << 33), new Square(-5), new Bar(-1, -9)};
        long result = 0;
        for (int i = 0; i < n; i++) {
            Shape s = shapes[(i ^ i >> 3) & 3].self();
            result = result * 31 + s.area(i & 63, i % 17) + changes(i, i >> 2) + swapped(i, n) + old(i);
            result += (long) mixed(i, i * 0.25f, result >> 40);
        }
        return result;
    }

    static int checked(int[] a, int i, int by) {
        if (by == 0) {
            throw new ArithmeticException("by 0 at " + i);
        }
        return a[less(i, 0)] / by;
    }
    static int nested(int[] a, int i, Square s) {
        int k = i;
        return checked(a, k, i % 37) + s.last().side + less(k, a.length);
    }
    /** What fails has its arguments, and its caller goes on with its own. */
    static long failing(int n) {
        int[] a = new int[50];
        Square s = new Square(1);
        s.next = new Square(2);
        long result = 0;
        for (int i = 1; i <= n; i++) {
            a[i % 50] = i;
            int k = i % 53;
            try {
                result += nested(a, k, i % 71 == 70 ? s.next : s);
            } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
                result = result * 31 + e.getMessage().hashCode() + k;
            } catch (NullPointerException e) {
                result = result * 7 + e.getStackTrace()[0].getLineNumber() + k;
            }
        }
        return result;
    }

    static long quotient(long n, int d) {
        return n / d;
    }
    static int floor(int n, int d) {
        int q = n / d;
        return (n ^ d) < 0 && q * d != n ? q - 1 : q;
    }
    static long floorMod(long n, long d) {
        long m = n % d;
        return m != 0 && (m ^ d) < 0 ? m + d : m;
    }
    static long ofDay(long n) {
        return quotient(n, 86_400) * 7 + floorMod(n, 86_400) + floorMod(n, 1000L) + quotient(n, 2) + quotient(n, 1) - quotient(n, -3);
    }
    static long quotients(long n) {
        int i = (int) n;
        long result = n / 10 + n % 10 * 3 + n / 400 + n % 1461 + n / 1_000_000_007L + n % 2 + n / 4 + n / (1L << 30) + n % 3_000_000_000L;
        result = result * 31 + i / 10 + i % 10 * 3 + i / 100 + i % 7 + i / 2 + i % 16 + i / 1_000_000_007 + i % Integer.MAX_VALUE + i / 1 + i / -5;
        return result * 31 + floor(i, 153) + floor(i, 60) * 3 + ofDay(n) + Math.floorDiv(n, 3600) + Math.floorMod(i, 12);
    }
    static long allQuotients(int n) {
        long[] ends = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE, 86_399, -86_400, 10, -10, 1L << 31};
        long result = 0;
        for (int i = 0; i < n; i++) {
            result = result * 31 + quotients(i * 0x9e3779b97f4a7c15L >> (i & 63)) + quotients(ends[i % 12] + i % 5 - 2);
        }
        return result;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < 2; i++) {
            System.out.println(many(n) + " " + failing(n / 4) + " " + allQuotients(n / 2));
        }
    }
}
