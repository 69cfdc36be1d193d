import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Curves, signatures and blocks of random lengths, from several callers: in a class's initializer, in threads, through a
 * lambda. The argument is a seed.
 */
public class IntrinsicsOfCurves {
    static boolean silent;

    static void say(Object what) {
        if (!silent) System.out.println(what);
    }

    /** For callers that ask what Rust code did. */
    static void silently() throws Exception {
        silent = true;
        all(1);
    }

    /** The same numbers in each run. */
    static final class Numbers extends SecureRandom {
        private final Random from;

        Numbers(long seed) {
            from = new Random(seed);
        }

        @Override
        public void nextBytes(byte[] b) {
            from.nextBytes(b);
        }
    }

    /** Its initializer is the first that digests. */
    static final class First {
        static final byte[] SUM = digest("SHA-256", new byte[400], 1, 300);
    }

    static byte[] digest(String name, byte[] b, int from, int len) {
        try {
            MessageDigest m = MessageDigest.getInstance(name);
            m.update(b, from, len);
            return m.digest();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    interface Digest {
        byte[] of(String name, byte[] b, int from, int len);
    }

    static int one(String name, byte[] b, int from, int len) {
        return Arrays.hashCode(digest(name, b, from, len));
    }

    static int two(String name, byte[] b, int from, int len) {
        Digest d = IntrinsicsOfCurves::digest;
        return Arrays.hashCode(d.of(name, b, from, len));
    }

    static void digests(Random r) {
        byte[] b = new byte[5000];
        r.nextBytes(b);
        int sum = Arrays.hashCode(First.SUM);
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256", "SHA3-384"}) {
            for (int i = 0; i < 12; i++) {
                int from = r.nextInt(2000), len = r.nextInt(3000);
                sum = 31 * sum + (r.nextBoolean() ? one(name, b, from, len) : two(name, b, from, len));
            }
        }
        for (int i = 0; i < 20; i++) {
            CRC32C c = new CRC32C();
            int from = r.nextInt(2000), len = r.nextInt(3000);
            c.update(b, from, len);
            ByteBuffer direct = ByteBuffer.allocateDirect(300);
            direct.put(b, from, 300).flip();
            c.update(direct);
            sum = 31 * sum + (int) c.getValue();
        }
        say("digests " + sum);
    }

    static void blocks(Random r) throws Exception {
        byte[] b = new byte[9000];
        r.nextBytes(b);
        int sum = 0;
        for (int size : new int[] {16, 32}) {
            SecretKeySpec key = new SecretKeySpec(b, 100, size, "AES");
            for (String mode : new String[] {"ECB", "CBC", "CTR"}) {
                Cipher c = Cipher.getInstance("AES/" + mode + "/NoPadding");
                byte[] iv = Arrays.copyOf(b, 16);
                iv[14] = (byte) r.nextInt();
                iv[15] = (byte) r.nextInt();
                for (int way : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
                    for (int i = 0; i < 5; i++) {
                        if (mode.equals("ECB")) c.init(way, key);
                        else c.init(way, key, new IvParameterSpec(iv));
                        int from = r.nextInt(2000), len = r.nextInt(420) * 16;
                        sum = 31 * sum + Arrays.hashCode(c.doFinal(b, from, len));
                        byte[] same = b.clone();
                        if (mode.equals("ECB")) c.init(way, key);
                        else c.init(way, key, new IvParameterSpec(iv));
                        c.doFinal(same, from, len, same, Math.max(0, from + r.nextInt(64) - 32));
                        sum = 31 * sum + Arrays.hashCode(same);
                    }
                }
            }
        }
        say("blocks " + sum);
        Cipher c = Cipher.getInstance("ChaCha20-Poly1305");
        for (int i = 0; i < 6; i++) {
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(b, i, 32, "ChaCha20"), new IvParameterSpec(b, 50 + i, 12));
            c.updateAAD(b, i, r.nextInt(200));
            sum = 31 * sum + Arrays.hashCode(c.doFinal(b, r.nextInt(500), r.nextInt(3000)));
        }
        say("ChaCha20 " + sum);
    }

    static void signatures(Random r, String of, int size, String with) throws Exception {
        KeyPairGenerator g = KeyPairGenerator.getInstance(of);
        g.initialize(size, new Numbers(r.nextLong()));
        KeyPair k = g.generateKeyPair();
        byte[] b = new byte[100];
        r.nextBytes(b);
        Signature s = Signature.getInstance(with);
        s.initSign(k.getPrivate(), new Numbers(r.nextLong()));
        s.update(b);
        byte[] signed = s.sign();
        s.initVerify(k.getPublic());
        s.update(b);
        say(with + " " + Arrays.hashCode(signed) + " " + s.verify(signed));
        s.initVerify(k.getPublic());
        b[3]++;
        s.update(b);
        say(s.verify(signed));
    }

    static void agreement(Random r) throws Exception {
        KeyPair[] pairs = new KeyPair[2];
        for (int i = 0; i < 2; i++) {
            KeyPairGenerator g = KeyPairGenerator.getInstance("X25519");
            g.initialize(255, new Numbers(r.nextLong()));
            pairs[i] = g.generateKeyPair();
        }
        for (int i = 0; i < 2; i++) {
            KeyAgreement a = KeyAgreement.getInstance("X25519");
            a.init(pairs[i].getPrivate());
            a.doPhase(pairs[1 - i].getPublic(), true);
            say("X25519 " + Arrays.hashCode(a.generateSecret()));
        }
    }

    static void keys(Random r) throws Exception {
        byte[] salt = new byte[8];
        r.nextBytes(salt);
        SecretKeyFactory f = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
        say("PBKDF2 " + Arrays.hashCode(f.generateSecret(new PBEKeySpec("a word".toCharArray(), salt, 30, 256)).getEncoded()));
        Mac m = Mac.getInstance("HmacSHA512");
        m.init(new SecretKeySpec(salt, "x"));
        say("Hmac " + Arrays.hashCode(m.doFinal(new byte[r.nextInt(2000)])));
    }

    static void all(long seed) throws Exception {
        Random r = new Random(seed);
        digests(r);
        blocks(r);
        signatures(r, "EC", 256, "SHA256withECDSA");
        signatures(r, "RSA", 512, "SHA256withRSA");
        agreement(r);
        keys(r);
    }

    public static void main(String[] args) throws Exception {
        long seed = args.length == 0 ? 1 : Long.parseLong(args[0]);
        all(seed);
        String[] names = {"SHA-1", "SHA-256", "SHA3-256"};
        int[] sums = new int[names.length];
        Thread[] threads = new Thread[names.length];
        for (int i = 0; i < threads.length; i++) {
            int k = i;
            threads[i] = new Thread(() -> {
                byte[] b = new byte[4000];
                new Random(seed + k).nextBytes(b);
                for (int j = 0; j < 5; j++) sums[k] += one(names[k], b, j, 3000) + two(names[k], b, j, 500);
            });
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            say(names[i] + " " + sums[i]);
        }
    }
}
