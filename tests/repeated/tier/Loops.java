import java.util.ArrayList;
import java.util.List;

/** Loops of all kinds, so that their slots have registers in compiled code: Loops ROUNDS. */
public class Loops {
    static int fixed;
    int field;
    double real;
    Object reference;

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum = sum * 31 + once(i);
        }
        System.out.println(sum + " " + fixed);
    }

    static long once(int i) {
        Loops it = new Loops();
        long sum = down(i % 40) + many(i % 7 + 2) + shared(i % 9) + it.members(i % 11);
        sum = sum * 7 + references(i % 13 + 3) + caught(i % 5 + 1) + calls(i % 23) + choose(i % 19);
        sum = sum * 7 + numbers(i, i % 17 + 1) + bytes(i % 21) + notANumber(i % 6) + inner(i % 8);
        return sum * 7 + it.locked(i % 4) + swapped(i % 10, 3, 4) + Double.doubleToLongBits(reals(i % 15)) + moved(i % 12);
    }

    /** A method that begins with its loop. */
    static int down(int n) {
        do {
            n -= 3;
        } while (n > 0);
        return n;
    }

    /** More slots than there are registers. */
    static int many(int n) {
        int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
        for (int i = 0; i < n; i++) {
            a += b ^ c;
            b -= d + e;
            for (int j = i; j < n; j++) {
                c = c * 3 + f;
                d ^= g & a;
                for (int k = 0; k < 3; k++) {
                    e += h * k - j;
                    f = f << 1 | e >>> 31;
                }
                g += c;
            }
            h += a + b + c + d + e + f + g;
        }
        return a + b + c + d + e + f + g + h;
    }

    /** Slots that have numbers of several kinds, one after the other, in one loop. */
    static long shared(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            {
                double x = i * 0.5;
                for (int k = 0; k < 4; k++) x = x * 1.25 + k;
                sum += (long) (x * 100);
            }
            {
                long y = i * 7L;
                for (int k = 0; k < 4; k++) y = y * 13 ^ k;
                sum += y;
            }
            {
                float z = i;
                for (int k = 0; k < 4; k++) z = z / 3 + k;
                sum += (int) (z * 100);
            }
            {
                Object o = sum % 2 == 0 ? "even" : Integer.valueOf(i);
                for (int k = 0; k < 4; k++) sum += o instanceof String ? 1 : (Integer) o;
            }
        }
        return sum;
    }

    int members(int n) {
        for (int i = 0; i < n; i++) {
            field += i;
            real = real * 0.5 + field;
            fixed += field & 15;
            reference = (i & 1) == 0 ? this : null;
            if (reference == this) field ^= 5;
        }
        return field + (int) real;
    }

    /** Allocates and stores references in loops: whatever a collection moves. */
    static int references(int n) {
        Object[] all = new Object[n];
        int[] last = null;
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int[] one = new int[i + 1];
            one[i] = i;
            all[i] = one;
            for (int k = 0; k <= i; k++) {
                int[] other = (int[]) all[k];
                other[k] += one.length + (last == null ? 0 : last.length);
                sum += other[k];
            }
            last = one;
        }
        List<Object> list = new ArrayList<>();
        for (Object o : all) list.add(new Object[] {o, last});
        for (Object o : list) sum += ((int[]) ((Object[]) o)[0])[0] + ((Object[]) o).length;
        return sum;
    }

    /** What is thrown in a loop finds all slots as they are. */
    static int caught(int n) {
        int[] few = new int[3];
        Object[] strings = new String[2];
        int found = 0, i = 0, last = 0;
        for (; i < 8; i++) {
            try {
                last += i;
                few[i] += last;
                found += few[i];
                last ^= 3;
                strings[i % 2] = i == 1 ? (Object) Integer.valueOf(i) : "s";
                found += 10 / (n - i);
            } catch (ArrayIndexOutOfBoundsException e) {
                found += last + i * 100;
            } catch (ArithmeticException | ArrayStoreException e) {
                found += last * i + 1000;
            }
        }
        int[] none = n > 2 ? few : null;
        for (int k = 0; k < 3; k++) {
            try {
                found += none[k] + k;
                found *= 3;
            } catch (NullPointerException e) {
                found += k * 7;
            }
        }
        return found + i + last;
    }

    static int twice(int a) {
        return a + a;
    }

    /** Calls in loops, on all ways or on one. */
    static int calls(int n) {
        int a = 1, b = 2;
        for (int i = 0; i < n; i++) {
            a += twice(i) + b;
            b ^= a + i;
        }
        for (int i = 0; i < n; i++) {
            if ((i & 7) == 5) {
                a += twice(b) + i;
            }
            b += a - i;
            a ^= b + i;
        }
        return a + b;
    }

    static int choose(int n) {
        int a = 0, b = 1;
        outer:
        for (int i = 0; ; i++) {
            switch (i % 6) {
                case 0: a += b; break;
                case 1: b += a; continue;
                case 2: a ^= i; break;
                case 3: if (a > 1000) break outer; b++; break;
                default: a -= b;
            }
            switch (a) {
                case -100: b++; break;
                case 7: case 90: case 1000: case 5000: case 77777: a += i; break;
                default: b ^= 1;
            }
            if (i > n) break;
        }
        return a * 31 + b;
    }

    static long numbers(int seed, int n) {
        int a = seed, s = 3;
        long b = seed * 0x9E3779B97F4A7C15L;
        for (int i = 1; i <= n; i++) {
            a = (a << i) + (a >>> s) - (a >> n) + a / i - a % n;
            b = (b << i) + (b >>> s) - (b >> n) + b / i - b % n;
            b = -b ^ (a * -1L);
            a += (byte) b + (short) a + (char) i + Long.compare(b, a);
            if (b > a) s ^= i;
            else s += 2;
            a = -a / (i % 3 - 1 == 0 ? -1 : i);
        }
        return a + b + s;
    }

    static int bytes(int n) {
        byte[] some = new byte[8];
        boolean[] flags = new boolean[8];
        char[] text = new char[8];
        short[] small = new short[8];
        int sum = 0;
        for (int i = 0; i < n; i++) {
            some[i & 7] += (byte) (i * 37);
            flags[i & 7] ^= (i & 3) == 1;
            text[i & 7] = (char) (text[i + 1 & 7] + some[i & 7]);
            small[i & 7] = (short) (text[i & 7] * 3);
            sum += small[i & 7] + (flags[i + 3 & 7] ? 1 : 0);
        }
        return sum;
    }

    static int notANumber(int n) {
        double x = n - 2, nan = 0.0 / (n - n);
        float y = n - 3;
        int sum = 0;
        for (int i = 0; i < 9; i++) {
            if (x < nan || x >= nan || x == nan) sum += 1;
            if (x != nan) sum += 2;
            if (!(y > x)) sum += 4;
            if (y <= x) sum += 8;
            x = i % 2 == 0 ? -x : x * 1.5;
            y = (float) x - y;
            sum += (int) (x / 0) + (int) (long) y + (int) nan;
            if (-y < x) sum ^= 16;
        }
        return sum;
    }

    static int inner(int n) {
        int[][] a = new int[n + 1][n + 1];
        for (int i = 0; i <= n; i++) {
            int[] row = a[i];
            for (int k = 0; k < row.length; k++) {
                row[k] = i == 0 ? k : a[i - 1][k] + (k == 0 ? i : row[k - 1]);
            }
        }
        return a[n][n];
    }

    int locked(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            synchronized (this) {
                sum += i + field;
                field++;
            }
            sum ^= next(i);
        }
        return sum;
    }

    synchronized int next(int i) {
        for (int k = 0; k < 3; k++) i += field++;
        return i;
    }

    static int swapped(int n, int a, int b) {
        for (int i = 0; i < n; i++) {
            int t = a;
            a = b;
            b = t + i;
            int u = a++;
            u += a--;
            b ^= u;
        }
        return a * 31 + b;
    }

    static double reals(int n) {
        double a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, p = 8, q = 9, r = 10, s = 11, t = 12, u = 13;
        for (int i = 0; i < n; i++) {
            a = b - a;
            b = c + d * 0.5;
            c = a - b / 3;
            d = e;
            e = f * g - h;
            f = -p;
            g += q - r;
            h = s * 0.25 + t - u;
            p = q;
            q = r;
            r = p * 0.125;
            s -= t;
            t = u + i;
            u = (float) (u * 0.5);
        }
        return a + b + c + d + e + f + g + h + p + q + r + s + t + u;
    }

    /** Longs and numbers that are only moved. */
    static long moved(int n) {
        long a = 1L << 40, b = -2;
        double x = 0.5, y = 1e10;
        Object o = "o", p = "pp";
        for (int i = 0; i < n; i++) {
            long c = a;
            a = b;
            b = c;
            double z = x;
            x = y;
            y = z;
            Object q = o;
            o = p;
            p = q;
            if (i % 3 == 0) b += i;
        }
        return a + b + (long) x + ((String) o).length();
    }
}
