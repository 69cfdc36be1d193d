import java.util.Random;

/** Square roots of numbers of all kinds, from several places and threads. */
public class IntrinsicsOfRoots {
    static long root(double x) {
        return Double.doubleToLongBits(Math.sqrt(x));
    }

    static long strict(double x) {
        return Double.doubleToLongBits(StrictMath.sqrt(x));
    }

    /** Squares, numbers beside them, powers of two, and what has no root. */
    static long special(Random r, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            double whole = r.nextInt(1 << (1 + r.nextInt(30)));
            double square = whole * whole;
            sum = 31 * sum + root(square);
            sum = 31 * sum + root(Math.nextUp(square));
            sum = 31 * sum + strict(Math.nextDown(square));
            sum = 31 * sum + root(Math.scalb(1.0, r.nextInt(2100) - 1070));
            sum = 31 * sum + root(Math.nextDown(Math.scalb(1.0, r.nextInt(2000) - 1000)));
        }
        double[] others = {0.0, -0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE,
            Double.MIN_NORMAL, Double.MAX_VALUE, 3 * Double.MIN_VALUE};
        for (double x : others) {
            sum = 31 * sum + root(x) + strict(x);
        }
        return sum;
    }

    /** Numbers with all exponents, and with few bits. */
    static long ordinary(Random r, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum = 31 * sum + root(Double.longBitsToDouble(r.nextLong()));
            sum = 31 * sum + root(r.nextDouble());
            sum = 31 * sum + root(r.nextInt(1000) / 8.0);
        }
        return sum;
    }

    /** For callers that ask what Rust code did. */
    static void silently() {
        ordinary(new Random(1), 600);
        special(new Random(2), 200);
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        Thread[] threads = new Thread[2];
        long[] sums = new long[2];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> sums[number] = ordinary(new Random(number), n) + special(new Random(number), n));
            threads[i].start();
        }
        System.out.println(special(new Random(7), n));
        System.out.println(ordinary(new Random(8), n));
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(sums[0] + " " + sums[1]);
    }
}
