import java.io.FileInputStream;
import java.io.IOException;

/**
 * Small kernels for comparing virtual machines: {@code Kernels NAME ROUNDS} prints the CPU
 * milliseconds of each round, measured by the kernel for the thread itself, after one to warm up.
 */
public class Kernels {
    public static void main(String[] args) throws IOException {
        long check = run(args[0]);
        StringBuilder out = new StringBuilder();
        for (int i = Integer.parseInt(args[1]); i > 0; i--) {
            long before = cpuTime();
            long result = run(args[0]);
            long after = cpuTime();
            if (result != check) {
                throw new AssertionError(result + " is not " + check);
            }
            out.append(' ').append((after - before) / 1000 / 1000.0);
        }
        System.out.println(check + out.toString());
    }

    static long run(String name) {
        switch (name) {
            case "fib": return fib(32);
            case "sieve": return sieve(2_000_000);
            case "longs": return longs(5_000_000);
            case "virtual": return virtual(3_000_000);
            case "matmul": return matmul(140);
            case "exceptions": return exceptions(20_000);
            default: throw new IllegalArgumentException(name);
        }
    }

    /** Nanoseconds that this thread has been on a processor. */
    static long cpuTime() throws IOException {
        byte[] text = new byte[100];
        int n;
        try (FileInputStream in = new FileInputStream("/proc/thread-self/schedstat")) {
            n = in.read(text);
        }
        long value = 0;
        for (int i = 0; i < n && text[i] != ' '; i++) {
            value = value * 10 + text[i] - '0';
        }
        return value;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int sieve(int n) {
        boolean[] composite = new boolean[n + 1];
        int primes = 0;
        for (int i = 2; i <= n; i++) {
            if (!composite[i]) {
                primes++;
                for (int k = i + i; k <= n; k += i) {
                    composite[k] = true;
                }
            }
        }
        return primes;
    }

    static long longs(int n) {
        long x = 0x9E3779B97F4A7C15L;
        long sum = 0;
        for (int i = 0; i < n; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
            sum += x & 0xFFFF;
        }
        return sum;
    }

    abstract static class Shape {
        abstract int area(int scale);
    }

    static class Square extends Shape {
        int side = 3;

        int area(int scale) {
            return side * side * scale;
        }
    }

    static class Rectangle extends Shape {
        int width = 2;
        int height = 5;

        int area(int scale) {
            return width * height + scale;
        }
    }

    static class Strip extends Shape {
        int area(int scale) {
            return scale;
        }
    }

    static long virtual(int n) {
        Shape[] shapes = {new Square(), new Rectangle(), new Strip(), new Square()};
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += shapes[i & 3].area(i);
        }
        return sum;
    }

    static long matmul(int n) {
        double[][] a = new double[n][n];
        double[][] b = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = i + j;
                b[i][j] = i - j;
            }
        }
        double trace = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[i][k] * b[k][j];
                }
                if (i == j) {
                    trace += sum;
                }
            }
        }
        return (long) trace;
    }

    static class Signal extends RuntimeException {
        final int value;

        Signal(int value) {
            super(null, null, false, false);
            this.value = value;
        }
    }

    static int left;

    /** Throws through {@code depth} frames: with a stack trace, without one, or what an instruction throws. */
    static int thrown(int depth, int i, int[] none) {
        if (depth == 0) {
            if (i % 4 == 0) {
                throw new IllegalArgumentException();
            }
            if (i % 4 == 1) {
                return none[i];
            }
            throw new Signal(i);
        }
        try {
            return thrown(depth - 1, i, none) + 1;
        } finally {
            left++;
        }
    }

    static long exceptions(int n) {
        int[] none = {};
        long sum = 0;
        left = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += thrown(i % 16, i, none);
            } catch (Signal e) {
                sum += e.value;
            } catch (IllegalArgumentException e) {
                sum += 2;
            } catch (ArrayIndexOutOfBoundsException e) {
                sum += 3;
            }
        }
        return sum + left;
    }
}
