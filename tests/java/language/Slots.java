/** long and double take two slots: parameters, locals reused by other types, swapped and returned. */
public class Slots {
    static long mix(int a, long b, int c, double d, int e, long f, float g, byte h) {
        long r = a;
        r = r * 31 + b;
        r = r * 31 + c;
        r = r * 31 + (long) (d * 4);
        r = r * 31 + e;
        r = r * 31 + f;
        r = r * 31 + (long) (g * 2);
        return r * 31 + h;
    }

    long instance(long a, Slots o, double b, int c) {
        return o == this ? a + (long) b + c : -1;
    }

    static double avg(double a, double b) {
        double t = a;
        a = b;
        b = t;
        return (a - b) / 2 + b;
    }

    static long reuse(int n) {
        long result = 0;
        for (int i = 0; i < n; i++) {
            if ((i & 1) == 0) {
                int p = i, q = p * 3;
                String s = "x";
                result += p + q + s.length();
            } else {
                long p = i * 10_000_000_000L;
                result ^= p;
            }
            {
                double z = i / 2.0;
                float y = 2;
                result += (long) (z * y);
            }
            {
                Object o = null;
                boolean k = o == null;
                char ch = k ? 'a' : 'b';
                result += ch;
            }
        }
        return result;
    }

    static long gcd(long a, long b) { return b == 0 ? a : gcd(b, a % b); }

    static long swapLoop(long a, int n, long b) {
        while (n-- > 0) {
            long t = a;
            a = b;
            b = t + 1;
        }
        return a * 1000 + b;
    }

    static int many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, int k) {
        return (int) (a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j) + k;
    }

    public static void main(String[] args) {
        System.out.println(mix(1, 2, 3, 4.5, 5, 6, 7.5f, (byte) 8));
        System.out.println(mix(-1, Long.MIN_VALUE, 3, -4.5, Integer.MAX_VALUE, Long.MAX_VALUE, -7.5f, (byte) -8));
        Slots s = new Slots();
        System.out.println(s.instance(1L << 50, s, 2.9, 3) + " " + s.instance(1, null, 2, 3));
        System.out.println((int) (avg(3, 10) * 2));
        System.out.println(reuse(50));
        System.out.println(gcd(1L << 40, 6L * 1_000_000_007 << 20));
        System.out.println(swapLoop(5, 7, 100));
        System.out.println(many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
        long a = 1, b = 2;
        double c = 3;
        int d = 4;
        a = b + (b = a) * (long) (c = d + a);
        System.out.println(a + " " + b + " " + (int) c);
    }
}
