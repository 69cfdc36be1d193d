import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Times digests, ciphers and signatures: CPU time of a warmed-up thread, the smallest of several rounds, in nanoseconds per byte or in
 * microseconds per operation. benches/ciphers.py compares JVMs with it. Arguments: the rows; none: all.
 */
public class Ciphers {
    interface Operation { void run() throws Exception; }

    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final byte[] BYTES = new byte[64 << 10];
    static final byte[] OUT = new byte[BYTES.length + 32];
    /** CPU milliseconds before anything is measured, and of a round. */
    static final long WARM = Long.getLong("warm", 600), ROUND = Long.getLong("round", 100);
    static final int ROUNDS = Integer.getInteger("rounds", 7);

    static double smallest(Operation op) throws Exception {
        long end = THREADS.getCurrentThreadCpuTime() + WARM * 1_000_000;
        int n = 0;
        for (; THREADS.getCurrentThreadCpuTime() < end; n++) op.run();
        n = (int) Math.max(1, n * ROUND / WARM);
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < n; i++) op.run();
            best = Math.min(best, (double) (THREADS.getCurrentThreadCpuTime() - begin) / n);
        }
        return best;
    }
    static String[] wanted;
    static boolean wants(String name) {
        for (String w : wanted) if (name.startsWith(w)) return true;
        return wanted.length == 0;
    }
    static void perByte(String name, Operation op) throws Exception {
        if (wants(name)) System.out.printf("%s\tns\t%.4f%n", name, smallest(op) / BYTES.length);
    }
    static void each(String name, Operation op) throws Exception {
        if (wants(name)) System.out.printf("%s\tus\t%.1f%n", name, smallest(op) / 1000);
    }

    static void checksum(String name, Checksum c) throws Exception {
        perByte(name, () -> c.update(BYTES, 0, BYTES.length));
    }
    static void cipher(String name, String mode, int way, AlgorithmParameterSpec spec) throws Exception {
        Cipher c = Cipher.getInstance(mode);
        c.init(way, new SecretKeySpec(BYTES, 3, 16, "AES"), spec);
        perByte(name, () -> c.doFinal(BYTES, 0, BYTES.length, OUT, 0));
    }
    interface Spec { AlgorithmParameterSpec of(byte[] nonce); }
    static long nonce;
    /** Each message needs another nonce. */
    static void sealed(String name, String mode, SecretKeySpec key, Spec spec) throws Exception {
        Cipher c = Cipher.getInstance(mode);
        perByte(name, () -> {
            byte[] n = new byte[12];
            nonce++;
            for (int i = 0; i < 8; i++) n[i] = (byte) (nonce >> 8 * i);
            c.init(Cipher.ENCRYPT_MODE, key, spec.of(n));
            c.doFinal(BYTES, 0, BYTES.length, OUT, 0);
        });
    }
    static void signature(String name, String algorithm, KeyPairGenerator keys) throws Exception {
        if (!wants(name)) return;
        KeyPair pair = keys.generateKeyPair();
        Signature s = Signature.getInstance(algorithm), v = Signature.getInstance(algorithm);
        s.initSign(pair.getPrivate());
        v.initVerify(pair.getPublic());
        each(name + ", signing", () -> {
            s.update(BYTES, 0, 100);
            s.sign();
        });
        s.update(BYTES, 0, 100);
        byte[] signed = s.sign();
        each(name + ", verifying", () -> {
            v.update(BYTES, 0, 100);
            if (!v.verify(signed)) throw new AssertionError();
        });
    }

    public static void main(String[] args) throws Exception {
        wanted = args;
        new Random(5).nextBytes(BYTES);
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"}) {
            MessageDigest m = MessageDigest.getInstance(name);
            perByte(name, () -> m.digest(BYTES));
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(BYTES, 9, 32, "Hmac"));
        perByte("HmacSHA256", () -> mac.doFinal(BYTES));
        checksum("CRC32", new CRC32());
        checksum("Adler32", new Adler32());
        checksum("CRC32C", new CRC32C());
        IvParameterSpec iv = new IvParameterSpec(BYTES, 50, 16);
        cipher("AES-ECB, encrypting", "AES/ECB/NoPadding", Cipher.ENCRYPT_MODE, null);
        cipher("AES-ECB, decrypting", "AES/ECB/NoPadding", Cipher.DECRYPT_MODE, null);
        cipher("AES-CTR", "AES/CTR/NoPadding", Cipher.ENCRYPT_MODE, iv);
        cipher("AES-CBC, encrypting", "AES/CBC/NoPadding", Cipher.ENCRYPT_MODE, iv);
        cipher("AES-CBC, decrypting", "AES/CBC/NoPadding", Cipher.DECRYPT_MODE, iv);
        sealed("AES-GCM", "AES/GCM/NoPadding", new SecretKeySpec(BYTES, 3, 16, "AES"), n -> new GCMParameterSpec(128, n));
        sealed("ChaCha20-Poly1305", "ChaCha20-Poly1305", new SecretKeySpec(BYTES, 3, 32, "ChaCha20"), IvParameterSpec::new);
        byte[] coded = Base64.getEncoder().encode(BYTES), out = new byte[coded.length];
        perByte("Base64, encoding", () -> Base64.getEncoder().encode(BYTES, out));
        perByte("Base64, decoding", () -> Base64.getDecoder().decode(coded, out));
        SecureRandom seeded = SecureRandom.getInstance("SHA1PRNG");
        seeded.setSeed(7);
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048, seeded);
        signature("RSA-2048", "SHA256withRSA", rsa);
        KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
        ec.initialize(new ECGenParameterSpec("secp256r1"), seeded);
        signature("ECDSA P-256", "SHA256withECDSA", ec);
        KeyPairGenerator x = KeyPairGenerator.getInstance("X25519");
        KeyPair a = x.generateKeyPair(), b = x.generateKeyPair();
        KeyAgreement agreement = KeyAgreement.getInstance("X25519");
        each("X25519", () -> {
            agreement.init(a.getPrivate());
            agreement.doPhase(b.getPublic(), true);
            agreement.generateSecret();
        });
        SecretKeyFactory keys = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
        each("PBKDF2, 10,000 rounds", () -> keys.generateSecret(new PBEKeySpec("a word".toCharArray(), BYTES, 10_000, 256)).getEncoded());
    }
}
