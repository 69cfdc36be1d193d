import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Something of each instruction, often enough to be compiled. The first argument says how often. */
public class Mix {
    interface Shape {
        double area();
        default int corners() { return 4; }
    }
    static class Square implements Shape {
        final double side;
        Square(double side) { this.side = side; }
        public double area() { return side * side; }
    }
    static final class Circle implements Shape {
        float radius;
        Circle(float radius) { this.radius = radius; }
        public double area() { return radius * radius * 3.0f; }
        @Override public int corners() { return 0; }
    }
    static class Cube extends Square implements Comparable<Cube> {
        Cube(double side) { super(side); }
        @Override public double area() { return super.area() * 6; }
        public int compareTo(Cube o) { return Double.compare(side, o.side); }
    }
    static class Fields {
        boolean z;
        byte b;
        char c;
        short s;
        int i;
        long j;
        float f;
        double d;
        Object o;
        static boolean sz;
        static byte sb;
        static char sc;
        static short ss;
        static int si;
        static long sj;
        static float sf;
        static double sd;
        static Object so;
    }

    static int ints(int n) {
        int h = 17;
        for (int i = 1; i < n; i++) {
            h = h * 31 + (i ^ h >>> 3) - (h << (i & 7)) + (h >> 2 | i) % 1000;
            h += h / i + 7 % i + i % -3 + (i - 5) / 4;
            h ^= (byte) h + (short) (h * 3) + (char) (h - 1) & -i;
            if ((h & 1) == 0) {
                h++;
            } else if (h < 0 && i >= 3 || h > 1 << 20) {
                h = -h;
            }
        }
        return h + Integer.MIN_VALUE / minus() + Integer.MIN_VALUE % minus();
    }
    static int minus() { return -1; }

    static long longs(int n) {
        long h = 0x9e3779b97f4a7c15L;
        for (long i = 1; i < n; i++) {
            h = h * 6364136223846793005L + (i ^ h >>> 33) - (h << (int) (i & 31)) + (h >> 7 | i);
            h += h / i + h % (i + 3) + (int) h + (h & 0xffffffffL);
            if (h <= i) {
                h = ~h - 12345678901L;
            }
            h += Long.compare(h, i) + (h == i ? 1 : -1);
        }
        return h + Long.MIN_VALUE / minus() + Long.MIN_VALUE % minus();
    }

    static double reals(int n) {
        float f = 1.5f;
        double d = 0.25;
        int nan = 0;
        for (int i = 1; i < n; i++) {
            f = f * 1.0001f + i / 3.0f - f / 7;
            d = d * 0.999 + f - (double) i / (d + 2);
            d += (int) f + (long) d + (float) d;
            f = -f;
            d = -d;
            float x = i % 97 == 0 ? Float.NaN : f;
            double y = i % 89 == 0 ? Double.NaN : d;
            nan += (x < 1 ? 1 : 2) + (x > 1 ? 4 : 8) + (x <= f ? 16 : 32) + (x >= f ? 64 : 128);
            nan += (y < 1 ? 1 : 2) + (y > 1 ? 4 : 8) + (y <= d ? 16 : 32) + (y >= d ? 64 : 128);
            nan += (x == f ? 1 : 0) + (y != d ? 1 : 0) + (int) x + (int) y + (int) (d * 1e300) + (int) (long) (f * 1e30f);
            if (Math.abs(d) > 1e6 || Math.abs(f) > 1e6f) {
                d = 1 + f % 3;
                f = 2;
            }
        }
        return d + f + nan;
    }

    static long arrays(int n) {
        boolean[] z = new boolean[16];
        byte[] b = new byte[16];
        char[] c = new char[16];
        short[] s = new short[16];
        int[] a = new int[16];
        long[] j = new long[16];
        float[] f = new float[16];
        double[] d = new double[16];
        Object[] o = new Object[16];
        Shape[] shapes = new Shape[16];
        int[][] nested = new int[3][4];
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int k = i & 15;
            z[k] = (i & 3) == 1;
            b[k] = (byte) (i * 7);
            c[k] = (char) (i * 9);
            s[k] = (short) (i * -11);
            a[k] += i;
            j[k] = a[k] * 3L;
            f[k] = i * 0.5f;
            d[k] = f[k] + i;
            o[k] = (i & 1) == 0 ? "even" : a;
            shapes[k] = (i & 1) == 0 ? new Circle(1) : new Cube(k);
            nested[i % 3][i & 3] += k;
            sum += (z[k] ? 1 : 0) + b[k] + c[k] + s[k] + a[k] + j[k] + (long) f[k] + (long) d[k] + o.length;
            sum += nested[1][2] + new int[k].length + new byte[k + 1][2].length + shapes[15 - k == k ? 0 : k].corners();
        }
        return sum;
    }

    static long fields(int n) {
        Fields x = new Fields();
        long sum = 0;
        for (int i = 0; i < n; i++) {
            x.z = (i & 2) != 0;
            x.b = (byte) i;
            x.c = (char) -i;
            x.s = (short) (i * 3);
            x.i += i;
            x.j += x.i;
            x.f = x.i * 0.25f;
            x.d = x.f + 1;
            x.o = (i & 1) == 0 ? x : null;
            Fields.sz = !x.z;
            Fields.sb = x.b;
            Fields.sc = x.c;
            Fields.ss = x.s;
            Fields.si = x.i;
            Fields.sj = x.j;
            Fields.sf = x.f;
            Fields.sd = x.d;
            Fields.so = x.o;
            sum += (Fields.sz ? 1 : 2) + Fields.sb + Fields.sc + Fields.ss + Fields.si + Fields.sj + (long) Fields.sf + (long) Fields.sd;
            if (Fields.so == null) {
                sum++;
            }
        }
        return sum;
    }

    static long shapes(int n) {
        Shape[] all = {new Square(2), new Circle(1.5f), new Cube(3), new Square(4)};
        double area = 0;
        long kinds = 0;
        for (int i = 0; i < n; i++) {
            Object o = all[i & 3];
            area += all[i & 3].area();
            kinds += all[(i + 1) & 3].corners();
            if (o instanceof Square) {
                area += ((Square) o).side;
            }
            if (o instanceof Comparable) {
                kinds += ((Cube) o).compareTo(new Cube(i));
            }
            if (!(o instanceof Runnable)) {
                kinds += 2;
            }
            kinds += choose(i % 9) + pick(i % 7 * 1000);
        }
        return (long) area + kinds;
    }
    static int choose(int i) {
        switch (i) {
            case 0: return 3;
            case 1: return 1;
            case 2:
            case 4: return 4;
            case 7: return 15;
            default: return 9;
        }
    }
    static int pick(int i) {
        switch (i) {
            case -5: return 1;
            case 0: return 2;
            case 1000: return 3;
            case 2000: return 4;
            case 4000: return 5;
            case 5000: return 6;
            default: return 7;
        }
    }

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    static int faults(int n, Object[] strings) {
        int caught = 0;
        int[] small = new int[3];
        for (int i = 0; i < n; i++) {
            try {
                switch (i % 7) {
                    case 0: small[i % 5]++; break;
                    case 1: caught += 10 / (i % 2 - (i & 1)); break;
                    case 2: strings[0] = i % 3 == 0 ? "s" : Integer.valueOf(i); break;
                    case 3: caught += ((String) strings[1]).length(); break;
                    case 4: caught += new int[i % 3 - 1].length; break;
                    case 5: caught += deep(i % 11); break;
                    default: caught += ((Fields) (i % 2 == 0 ? null : new Fields())).i;
                }
            } catch (ArithmeticException | NullPointerException e) {
                caught += 1;
            } catch (ArrayIndexOutOfBoundsException e) {
                caught += 100;
            } catch (ClassCastException | ArrayStoreException | NegativeArraySizeException e) {
                caught += 10000;
            } catch (IllegalStateException e) {
                caught += e.getMessage().length();
            } finally {
                caught++;
            }
        }
        return caught;
    }
    static int deep(int n) {
        if (n == 0) {
            throw new IllegalStateException("deep");
        }
        return n == 7 ? 7 : deep(n - 1) + 1;
    }

    static synchronized int locked(int i) { return i + 1; }
    int count;
    synchronized void add() { count++; }

    static String collections(int n) {
        Map<String, Integer> map = new HashMap<>();
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            map.merge("k" + i % 100, i, Integer::sum);
            list.add(i * 7 % 1013);
        }
        list.sort((x, y) -> y - x);
        return map.get("k7") + " " + list.get(0) + " " + list.get(n / 2) + " " + map.hashCode();
    }

    static int overflow(int n) { return n + overflow(n + 1) + 1; }

    static void all(int n) {
        System.out.println(ints(n) + " " + longs(n) + " " + Double.toHexString(reals(n)));
        System.out.println(arrays(n) + " " + fields(n) + " " + shapes(n));
        System.out.println(faults(n / 4, new String[] {"a", null}) + " " + faults(n / 4, new Object[] {"a", 2}));
        System.out.println(collections(n / 8 + 2));
    }

    public static void main(String[] args) throws InterruptedException {
        int n = Integer.parseInt(args[0]);
        System.out.println(fib(n < 1000 ? 10 : 22));
        all(n);
        Mix mix = new Mix();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                int sum = 0;
                for (int i = 0; i < n; i++) {
                    mix.add();
                    sum = locked(sum) + choose(i % 5);
                }
                synchronized (mix) {
                    mix.count += sum;
                }
            });
            threads[t].start();
        }
        all(n / 2);
        for (Thread t : threads) {
            t.join();
        }
        try {
            overflow(0);
        } catch (StackOverflowError e) {
            System.out.println("too deep");
        }
        System.out.println(mix.count);
    }
}
