import java.math.BigInteger;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * Powers modulo numbers of many sizes, whose products, squares and reductions carry in other places each time; some of the moduli
 * begin with many ones, so that results are close to them.
 */
public class IntrinsicsOfPowers {
    static boolean silent;

    static void say(Object what) {
        if (!silent) System.out.println(what);
    }

    /** For callers that ask what Rust code did. */
    static void silently() {
        silent = true;
        all(7, 12);
    }

    static BigInteger modulus(Random r, int bits) {
        BigInteger m = new BigInteger(bits, r).setBit(bits - 1).setBit(0);
        switch (r.nextInt(4)) {
            case 0:
                // many ones at the beginning
                return BigInteger.ONE.shiftLeft(bits).subtract(m.shiftRight(bits / 2).setBit(0));
            case 1:
                // many zeros after a one
                return m.and(BigInteger.ONE.shiftLeft(bits / 3).subtract(BigInteger.ONE)).setBit(bits - 1).setBit(0);
            default:
                return m;
        }
    }

    static int powers(Random r, int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            int bits = 33 + r.nextInt(i % 5 == 0 ? 2300 : 700);
            BigInteger m = modulus(r, bits);
            BigInteger x = i % 3 == 0 ? m.subtract(BigInteger.valueOf(1 + r.nextInt(9))) : new BigInteger(bits + r.nextInt(40), r);
            BigInteger e = i % 2 == 0 ? BigInteger.valueOf(65537) : new BigInteger(1 + r.nextInt(90), r);
            sum = 31 * sum + x.modPow(e, m).hashCode();
            // the same size again and again, and another base
            for (int k = 0; k < 3; k++) {
                x = x.add(m.shiftRight(k)).multiply(x).mod(m);
                sum = 31 * sum + x.modPow(e, m).hashCode();
            }
            sum = 31 * sum + x.multiply(x).hashCode() + x.pow(3).hashCode();
        }
        return sum;
    }

    static int squares(Random r, int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            BigInteger x = modulus(r, 32 * (20 + r.nextInt(60)) - r.nextInt(2));
            for (int k = 0; k < 4; k++) {
                sum = 31 * sum + x.pow(2).hashCode();
                x = x.flipBit(r.nextInt(600));
            }
        }
        return sum;
    }

    static long checksums(Random r) {
        byte[] b = new byte[9000];
        r.nextBytes(b);
        CRC32 c = new CRC32();
        for (int n : new int[] {1023, 1024, 1025, 1535, 1536, 1537, 3000, 8192, 8999}) c.update(b, r.nextInt(b.length - n + 1), n);
        return c.getValue();
    }

    static void all(long seed, int rounds) {
        Random r = new Random(seed);
        say("powers " + powers(r, rounds));
        say("squares " + squares(r, rounds));
        say("checksums " + checksums(r));
    }

    public static void main(String[] args) {
        int rounds = args.length == 0 ? 30 : Integer.parseInt(args[0]);
        all(1, rounds);
        int[] sums = new int[2];
        Thread[] threads = new Thread[sums.length];
        for (int i = 0; i < threads.length; i++) {
            int k = i;
            threads[i] = new Thread(() -> sums[k] = powers(new Random(k), 4));
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            try {
                threads[i].join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            say("thread " + sums[i]);
        }
    }
}
