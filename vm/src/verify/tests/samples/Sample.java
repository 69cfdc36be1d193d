import java.io.IOException;
import java.util.function.Supplier;
import p.Base;

public class Sample extends Base implements Shape, Cloneable, Comparable<Sample> {
    private final long[] cells;
    private String name = "x";
    static float ratio = 1.5f;

    Sample(int n, String s) {
        super(n > 0 ? n : -n);
        cells = new long[n];
        name = s == null ? "none" : s;
        held = this;
    }

    Sample(String s) throws IOException {
        this(s.length(), s);
        if (s.isEmpty()) {
            throw new IOException("empty");
        }
    }

    public double area() {
        return count * (double) ratio;
    }

    // since 52
    public String label() {
        return Shape.super.label() + name;
    }
    // end

    public int compareTo(Sample o) {
        return Long.compare(sum(), o.sum());
    }

    long sum() {
        long s = 0;
        for (long c : cells) {
            s += c;
        }
        return s;
    }

    int arrays(int n, byte[] b, char[][] c, Object[] o) {
        short[] s = new short[n];
        boolean[] z = {true, n > 3};
        float[] f = {ratio};
        double[] d = new double[2];
        int[][][] deep = new int[n][2][];
        b[0] = (byte) n;
        s[0]++;
        z[0] = !z[1];
        f[0] += 2;
        d[1] = f[0];
        c[0][0] = 'x';
        o[0] = c;
        Object[] alias = c;
        cells[n] += b[0] + s[0];
        return deep.length + c[0].length + (z[0] ? 1 : 0) + alias.length;
    }

    static Object merge(int k, Object x) {
        Object r;
        switch (k) {
            case 1:
                r = "one";
                break;
            case 2:
                r = Integer.valueOf(k);
                break;
            case 3:
                r = new StringBuilder().append(k).append(x);
                break;
            case 1000:
                return null;
            default:
                r = x;
        }
        if (r instanceof String && k > 0) {
            r = ((String) r).concat("!");
        }
        Comparable<?> c = k > 5 ? (Comparable<?>) "a" : Integer.valueOf(4);
        Number n = k > 6 ? (Number) Double.valueOf(2) : Long.valueOf(3);
        return k == 9 ? c : k == 10 ? n : r;
    }

    int guarded(int[] a, int i) {
        int r = 0;
        long keep = i;
        try {
            r = a[i];
            synchronized (this) {
                r += bump(1);
            }
            String t = name;
            r += t.length();
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            r = e.getMessage() == null ? -1 : -2;
        } catch (RuntimeException e) {
            throw new IllegalStateException(e);
        } finally {
            total += r;
            keep++;
        }
        return r + (int) keep;
    }

    boolean numbers(int i, long l, float f, double d) {
        l = l << i | (l >>> 3) ^ i;
        f = f % i + l;
        d = d / f - i;
        i = (int) d;
        i = (int) l;
        l = (long) f;
        i <<= 2;
        i = -i;
        l = -l;
        return d > f && l < i || f >= d;
    }

    // since 52
    Supplier<String> closures(String s, long l) {
        Runnable r = () -> System.out.println(s + l + name);
        r.run();
        return s::trim;
    }
    // end

    int pending(int a) {
        return new int[] {a > 0 ? a : 1, 2}[a > 5 ? 0 : 1] + new Sample(a > 2 ? 1 : 2, a > 3 ? "p" : null).count;
    }

    static long fold(long a, int b, double c) {
        long x = a++ + b;
        while (b-- > 0) {
            if (b == 7) {
                continue;
            }
            double y = c * b;
            x += (long) y;
            if (x > 1000) {
                break;
            }
        }
        return x;
    }

    public static void main(String[] args) throws Exception {
        Sample s = new Sample("abc");
        System.out.println(s.label() + s.clone() + merge(args.length, s) + fold(1, 2, 3));
    }
}
