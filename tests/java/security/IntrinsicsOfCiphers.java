import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Ciphers whose loops are passed over: carries in counters, pieces of blocks, buffers, tags that do not fit, arrays that
 * are too short. The arguments are lengths of keys, or 0: then a thread wakes up again and again beside a digest, and what is
 * printed depends on the clock.
 */
public class IntrinsicsOfCiphers {
    static boolean silent;

    static void say(Object what) {
        if (!silent) System.out.println(what);
    }

    /** For callers that ask what Rust code did. */
    static void silently() throws Exception {
        silent = true;
        all(16);
    }

    static byte[] bytes(int n) {
        byte[] b = new byte[n];
        for (int i = 0; i < n; i++) b[i] = (byte) (i * 11 + i / 5);
        return b;
    }

    static void say(String what, byte[] b) {
        say((Object) (what + " " + b.length + " " + Arrays.hashCode(b)));
    }

    static Cipher gcm(int mode, SecretKeySpec key, int n) throws Exception {
        Cipher c = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] nonce = new byte[12];
        nonce[0] = (byte) n;
        c.init(mode, key, new GCMParameterSpec(128, nonce));
        return c;
    }

    static void gcm(SecretKeySpec key, byte[] b) throws Exception {
        for (int n = 0; n < 2; n++) {
            Cipher c = gcm(Cipher.ENCRYPT_MODE, key, n);
            c.updateAAD(b, n, 5 * n + 1);
            c.updateAAD(ByteBuffer.wrap(b, 0, 33));
            byte[] coded = c.doFinal(b);
            say("GCM", coded);
            c = gcm(Cipher.DECRYPT_MODE, key, n);
            c.updateAAD(b, n, 5 * n + 1);
            c.updateAAD(b, 0, 33);
            say("back", c.doFinal(coded));

            // a tag that does not fit
            c = gcm(Cipher.DECRYPT_MODE, key, n);
            try {
                c.doFinal(coded);
            } catch (AEADBadTagException e) {
                say(e.getMessage());
            }
            // in place
            byte[] same = Arrays.copyOf(b, b.length + 16);
            c = gcm(Cipher.ENCRYPT_MODE, key, n);
            c.doFinal(same, 0, b.length, same, 0);
            say("in place", same);
            c = gcm(Cipher.DECRYPT_MODE, key, n);
            c.doFinal(same, 0, same.length, same, 0);
            say(Arrays.equals(b, 0, b.length, same, 0, b.length));
            // buffers: on the heap, direct, one in the other
            for (boolean direct : new boolean[] {false, true}) {
                ByteBuffer from = direct ? ByteBuffer.allocateDirect(b.length) : ByteBuffer.allocate(b.length);
                ByteBuffer to = direct ? ByteBuffer.allocateDirect(b.length + 16) : ByteBuffer.allocate(b.length + 16);
                from.put(b).flip();
                c = gcm(Cipher.ENCRYPT_MODE, key, n);
                from.limit(b.length / 2 + n);
                c.update(from, to);
                from.limit(b.length);
                c.doFinal(from, to);
                to.flip();
                byte[] got = new byte[to.remaining()];
                to.duplicate().get(got);
                say(direct ? "direct" : "heap", got);
                c = gcm(Cipher.DECRYPT_MODE, key, n);
                ByteBuffer back = direct ? ByteBuffer.allocateDirect(b.length) : ByteBuffer.allocate(b.length);
                c.doFinal(to, back);
                say(back.flip().equals(ByteBuffer.wrap(b)));
            }
            // pieces
            c = gcm(Cipher.ENCRYPT_MODE, key, n);
            int sum = 0;
            for (int at = 0; at < b.length; ) {
                int len = Math.min(1 + (at * 7 + n) % 90, b.length - at);
                sum = 31 * sum + Arrays.hashCode(c.update(b, at, len));
                at += len;
            }
            say("pieces " + sum + " " + Arrays.hashCode(c.doFinal()));
            c = gcm(Cipher.ENCRYPT_MODE, key, n);
            try {
                c.doFinal(b, 0, b.length, new byte[b.length + 15]);
            } catch (ShortBufferException e) {
                say(e.getMessage());
            }
        }
    }

    static void ctr(SecretKeySpec key, byte[] b) throws Exception {
        for (int ones : new int[] {0, 1, 4, 8, 16}) {
            byte[] iv = new byte[16];
            for (int i = 0; i < ones; i++) iv[15 - i] = -1;
            iv[15] &= -3;
            Cipher c = Cipher.getInstance("AES/CTR/NoPadding");
            for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
                c.init(mode, key, new IvParameterSpec(iv));
                say("CTR " + ones, c.doFinal(b));
                c.init(mode, key, new IvParameterSpec(iv));
                int sum = 0;
                for (int at = 0; at < b.length; ) {
                    int len = Math.min(1 + (at * 5 + ones) % 120, b.length - at);
                    sum = 31 * sum + Arrays.hashCode(c.update(b, at, len));
                    at += len;
                }
                say("pieces " + sum + " " + c.doFinal().length);
                byte[] same = b.clone();
                c.init(mode, key, new IvParameterSpec(iv));
                c.doFinal(same, 0, same.length, same, 0);
                say("in place", same);
                // the output begins within the input, before it and behind it
                for (int shift : new int[] {-16, -3, 3, 16}) {
                    same = Arrays.copyOf(b, b.length + 32);
                    c.init(mode, key, new IvParameterSpec(iv));
                    c.doFinal(same, 16, b.length - 16, same, 16 + shift);
                    say("shifted " + shift, same);
                }
                c.init(mode, key, new IvParameterSpec(iv));
                try {
                    c.update(b, 0, b.length, new byte[b.length - 1]);
                } catch (ShortBufferException e) {
                    say(e.getMessage());
                }
                ByteBuffer to = ByteBuffer.allocateDirect(b.length);
                c.doFinal(ByteBuffer.wrap(b), to);
                say(to.flip().hashCode());
            }
        }
    }

    static void others(SecretKeySpec key, byte[] b) throws Exception {
        for (String mode : new String[] {"CBC/PKCS5Padding", "ECB/NoPadding", "CFB/NoPadding", "CFB8/NoPadding", "OFB/NoPadding"}) {
            Cipher c = Cipher.getInstance("AES/" + mode);
            for (int n = 0; n < 3; n++) {
                if (mode.startsWith("ECB")) c.init(Cipher.ENCRYPT_MODE, key);
                else c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(bytes(16)));
                byte[] first = c.update(b, 0, 160 + n * 16);
                byte[] coded = c.doFinal(b, 160 + n * 16, b.length / 16 * 16 - 160 - n * 16);
                say(mode + " " + Arrays.hashCode(first) + " " + Arrays.hashCode(coded));
                if (mode.startsWith("ECB")) c.init(Cipher.DECRYPT_MODE, key);
                else c.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(bytes(16)));
                byte[] same = Arrays.copyOf(first, first.length + coded.length);
                System.arraycopy(coded, 0, same, first.length, coded.length);
                if (n == 2 && mode.startsWith("CBC")) {
                    same[same.length - 1] ^= 1;
                    try {
                        c.doFinal(same);
                    } catch (javax.crypto.BadPaddingException e) {
                        say(e.getMessage());
                    }
                } else {
                    int len = c.doFinal(same, 0, same.length, same, 0);
                    say(Arrays.equals(same, 0, len, b, 0, len) + " " + len);
                }
            }
        }
    }

    static void chaCha(byte[] b) throws Exception {
        SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(b, 32), "ChaCha20");
        for (int n = 0; n < 3; n++) {
            byte[] nonce = new byte[12];
            nonce[3] = (byte) n;
            Cipher c = Cipher.getInstance("ChaCha20-Poly1305");
            c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(nonce));
            c.updateAAD(b, n, 20);
            byte[] first = c.update(b, n, 300 + n);
            byte[] coded = c.doFinal(b, 300 + n, b.length - 300 - n);
            say("ChaCha20 " + Arrays.hashCode(first) + " " + Arrays.hashCode(coded));
            byte[] all = Arrays.copyOf(first, first.length + coded.length);
            System.arraycopy(coded, 0, all, first.length, coded.length);
            for (int aad : new int[] {20, 19}) {
                c = Cipher.getInstance("ChaCha20-Poly1305");
                c.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(nonce));
                c.updateAAD(b, n, aad);
                try {
                    say("back", c.doFinal(all));
                } catch (AEADBadTagException e) {
                    say(e.getMessage());
                }
            }
        }
    }

    /** Streams that end with a block and within one, in place and shifted, and a counter that begins again at 0. */
    static void chaChaAlone(byte[] b) throws Exception {
        SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(b, 32), "ChaCha20");
        for (int counter : new int[] {0, 7, -3}) {
            for (int len : new int[] {0, 63, 64, 65, 128, 129, 1024, 1100}) {
                Cipher c = Cipher.getInstance("ChaCha20");
                c.init(Cipher.ENCRYPT_MODE, key, new ChaCha20ParameterSpec(Arrays.copyOf(b, 12), counter));
                byte[] out = new byte[b.length + 32];
                try {
                    int n = c.update(b, 3, len, out, 5);
                    n += c.update(b, 3 + len, 70, out, 5 + n);
                    say("stream " + counter + " " + n + " " + Arrays.hashCode(out));
                } catch (Exception e) {
                    say(counter + " " + len + " " + e);
                }
            }
        }
        for (int shift : new int[] {-16, -3, 0, 3, 16}) {
            byte[] same = Arrays.copyOf(b, b.length + 32);
            Cipher c = Cipher.getInstance("ChaCha20");
            c.init(Cipher.ENCRYPT_MODE, key, new ChaCha20ParameterSpec(Arrays.copyOf(b, 12), 1));
            c.update(same, 16, 1000, same, 16 + shift);
            say("shifted " + shift, same);
        }
    }

    /** Blocks where arrays begin, and elsewhere; squares, remainders and powers of numbers with many zeros and ones. */
    static void numbers(byte[] b) throws Exception {
        for (String name : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-512", "SHA-512/256", "SHA3-224", "SHA3-512"}) {
            MessageDigest m = MessageDigest.getInstance(name);
            for (int from : new int[] {0, 8, 3, 5}) {
                m.update(b, from, b.length - from);
                say(name, m.digest());
            }
        }
        BigInteger ones = BigInteger.ONE.shiftLeft(1024).subtract(BigInteger.ONE);
        BigInteger odd = new BigInteger(1, Arrays.copyOf(b, 128)).setBit(0).setBit(1023);
        BigInteger x = new BigInteger(1, Arrays.copyOfRange(b, 100, 260));
        for (BigInteger modulus : new BigInteger[] {ones, odd, ones.shiftRight(500), odd.shiftLeft(64).setBit(0)}) {
            BigInteger y = x.modPow(odd.shiftRight(900), modulus);
            say(y.toString(16));
            BigInteger[] parts = x.multiply(x).multiply(ones).divideAndRemainder(modulus);
            say(parts[0].hashCode() + " " + parts[1].hashCode());
            say(ones.multiply(ones).add(y).mod(modulus).hashCode());
        }
    }

    static void beside(byte[] b) throws Exception {
        int[] woken = {0};
        Thread t = new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
                woken[0]++;
            }
        });
        t.setDaemon(true);
        t.start();
        MessageDigest m = MessageDigest.getInstance("SHA-1");
        for (int i = 0; i < 30; i++) {
            m.update(b);
            say(woken[0]);
        }
    }

    static void all(int size) throws Exception {
        byte[] b = bytes(1203);
        if (size == 0) {
            beside(bytes(20000));
            return;
        }
        SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(b, size), "AES");
        gcm(key, b);
        ctr(key, b);
        others(key, b);
        chaCha(b);
        chaChaAlone(b);
        numbers(b);
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) args = new String[] {"16", "24", "32"};
        for (String size : args) all(Integer.parseInt(size));
    }
}
