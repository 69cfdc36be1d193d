import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys from passwords, whose rounds allocate, and messages that are long enough for several steps: counters that carry within
 * them, chains, characters that are none of the alphabet.
 */
public class IntrinsicsOfKeys {
    static boolean silent;

    static void say(Object what) {
        if (!silent) System.out.println(what);
    }

    /** For callers that ask what Rust code did. */
    static void silently() throws Exception {
        silent = true;
        all(3, 400);
    }

    static int derived(String prf, char[] password, byte[] salt, int rounds, int bits) throws Exception {
        SecretKeyFactory f = SecretKeyFactory.getInstance("PBKDF2WithHmac" + prf);
        return Arrays.hashCode(f.generateSecret(new PBEKeySpec(password, salt, rounds, bits)).getEncoded());
    }

    static void keys(Random r, int most) throws Exception {
        byte[] salt = new byte[1 + r.nextInt(200)];
        r.nextBytes(salt);
        for (String prf : new String[] {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512"}) {
            for (int rounds : new int[] {1, 2, 3, 7, most}) {
                char[] password = new char[r.nextInt(150)];
                for (int i = 0; i < password.length; i++) password[i] = (char) (' ' + r.nextInt(500));
                say(prf + " " + rounds + " " + derived(prf, password, salt, rounds, 8 + 8 * r.nextInt(100)));
            }
        }
        // one digest is none of those that know a password
        MessageDigest m = MessageDigest.getInstance("SHA-256");
        m.update(salt);
        say("SHA-256 " + Arrays.hashCode(m.digest()));
    }

    static void messages(Random r) throws Exception {
        byte[] b = new byte[20000];
        r.nextBytes(b);
        SecretKeySpec key = new SecretKeySpec(b, 7, 16, "AES");
        int sum = 0;
        for (int ones : new int[] {1, 2, 15, 16}) {
            byte[] iv = new byte[16];
            Arrays.fill(iv, 16 - ones, 16, (byte) -1);
            iv[15] = (byte) r.nextInt();
            Cipher c = Cipher.getInstance("AES/CTR/NoPadding");
            c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(iv));
            for (int i = 0; i < 4; i++) sum = 31 * sum + Arrays.hashCode(c.update(b, r.nextInt(99), 1 + r.nextInt(19900)));
            byte[] same = b.clone();
            c.update(same, 16, 16000, same, r.nextInt(40));
            sum = 31 * sum + Arrays.hashCode(same);
        }
        say("CTR " + sum);
        for (int n : new int[] {16, 32, 272, 288, 544, 8192, 19984}) {
            Cipher c = Cipher.getInstance("AES/CBC/NoPadding");
            c.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(b, 50, 16));
            sum = 31 * sum + Arrays.hashCode(c.update(b, 3, n));
            sum = 31 * sum + Arrays.hashCode(c.doFinal(b, 1, n));
        }
        say("CBC " + sum);
        byte[] coded = Base64.getMimeEncoder(0, new byte[0]).encode(b);
        byte[] twice = Base64.getEncoder().encode(coded);
        say("Base64 " + Arrays.hashCode(twice));
        for (int i = 0; i < 4; i++) {
            say(Arrays.hashCode(Base64.getDecoder().decode(twice)));
            byte[] damaged = twice.clone();
            damaged[r.nextInt(damaged.length)] = '!';
            try {
                Base64.getDecoder().decode(damaged);
            } catch (IllegalArgumentException e) {
                say(e.getMessage());
            }
        }
    }

    static void all(long seed, int rounds) throws Exception {
        Random r = new Random(seed);
        keys(r, rounds);
        messages(r);
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? 300 : Integer.parseInt(args[0]);
        all(1, rounds);
        int[] sums = new int[2];
        Thread[] threads = new Thread[sums.length];
        for (int i = 0; i < threads.length; i++) {
            int k = i;
            threads[i] = new Thread(() -> {
                try {
                    sums[k] = derived(k == 0 ? "SHA512" : "SHA1", "a word".toCharArray(), new byte[9], rounds, 700);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            say("thread " + sums[i]);
        }
    }
}
