import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** What has intrinsics: each kind of arguments often enough that bytecodes, and then native code, do the work. */
public class Intrinsics {
    static boolean silent;

    static void say(Object what) {
        if (!silent) System.out.println(what);
    }

    /** For callers that want the sum alone. */
    static int silently() throws Exception {
        silent = true;
        return fewer(300);
    }

    static byte[] bytes(int n) {
        byte[] b = new byte[n];
        for (int i = 0; i < n; i++) b[i] = (byte) (i * 7 + i / 3);
        return b;
    }

    static int digests(byte[] b) throws Exception {
        int sum = 0;
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-384", "SHA3-256"}) {
            for (int from : new int[] {0, 1, 2, 4}) {
                MessageDigest m = MessageDigest.getInstance(name);
                m.update(b, from, b.length - from);
                int h = Arrays.hashCode(m.digest());
                say(name + " " + from + " " + h);
                sum += h;
            }
        }
        return sum;
    }

    static int checksums(byte[] b) {
        int sum = 0;
        for (int from = 0; from < 4; from++) {
            CRC32C c = new CRC32C();
            c.update(b, from, b.length - from);
            byte[] coded = Base64.getEncoder().encode(Arrays.copyOfRange(b, from, b.length));
            byte[] url = Base64.getUrlEncoder().encode(b);
            byte[] back = Base64.getDecoder().decode(coded);
            say(c.getValue() + " " + Arrays.hashCode(coded) + " " + Arrays.hashCode(url) + " "
                    + Arrays.hashCode(back) + " " + Arrays.equals(b, Base64.getUrlDecoder().decode(url)));
            coded[coded.length / 2 + from] = '*';
            try {
                Base64.getDecoder().decode(coded);
            } catch (IllegalArgumentException e) {
                say(e.getMessage());
            }
            byte[] mime = Base64.getMimeEncoder().encode(b);
            say(Arrays.equals(b, Base64.getMimeDecoder().decode(mime)));
            sum += (int) c.getValue() + Arrays.hashCode(coded);
        }
        return sum;
    }

    static int ciphers(byte[] b) throws Exception {
        int sum = 0;
        for (int size : new int[] {16, 24, 32}) {
            SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(b, size), "AES");
            byte[] nonce = Arrays.copyOf(b, 12), iv = new byte[16];
            // the counter soon carries
            iv[14] = iv[15] = -4;
            Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
            gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
            gcm.updateAAD(nonce);
            byte[] coded = gcm.doFinal(b);
            gcm.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, nonce));
            gcm.updateAAD(nonce);
            say("GCM " + Arrays.hashCode(coded) + " " + Arrays.equals(b, gcm.doFinal(coded)));
            Cipher ctr = Cipher.getInstance("AES/CTR/NoPadding");
            ctr.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(iv));
            byte[] first = ctr.update(b, 0, b.length / 2 + 3);
            byte[] second = ctr.doFinal(b, b.length / 2 + 3, b.length - b.length / 2 - 3);
            byte[] same = b.clone();
            ctr.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(iv));
            ctr.doFinal(same, 0, same.length, same, 0);
            say("CTR " + Arrays.hashCode(first) + " " + Arrays.hashCode(second) + " " + Arrays.hashCode(same));
            Cipher cbc = Cipher.getInstance("AES/CBC/PKCS5Padding");
            cbc.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(iv));
            coded = cbc.doFinal(b);
            cbc.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(iv));
            say("CBC " + Arrays.hashCode(coded) + " " + Arrays.equals(b, cbc.doFinal(coded)));
            sum += Arrays.hashCode(coded) + Arrays.hashCode(first);
        }
        return sum;
    }

    static int numbers() {
        BigInteger modulus = BigInteger.ONE.shiftLeft(521).subtract(BigInteger.ONE);
        BigInteger x = BigInteger.valueOf(3).pow(300), y = BigInteger.valueOf(7).pow(150);
        for (int i = 0; i < 4; i++) {
            x = x.multiply(y).mod(modulus).add(x.multiply(x));
            y = y.modPow(BigInteger.valueOf(65537), modulus).subtract(BigInteger.valueOf(i));
            x = x.mod(modulus);
        }
        say(x);
        say(y.toString(16));
        return x.hashCode() + y.hashCode();
    }

    static int all(int n) throws Exception {
        byte[] b = bytes(n);
        return digests(b) + checksums(b) + ciphers(b) + numbers();
    }

    static int fewer(int n) throws Exception {
        return digests(bytes(n)) + checksums(bytes(n)) + numbers();
    }

    public static void main(String[] args) throws Exception {
        Thread[] others = new Thread[2];
        int[] sums = new int[2];
        for (int i = 0; i < args.length && i < 2; i++) {
            int k = i;
            others[i] = new Thread(() -> {
                byte[] b = bytes(1500);
                for (int round = 0; round < 3; round++) {
                    CRC32C c = new CRC32C();
                    c.update(b);
                    BigInteger x = new BigInteger(1, b);
                    sums[k] += (int) c.getValue() + x.multiply(x).hashCode() + k;
                }
            });
            others[i].start();
        }
        say(args.length == 0 ? all(1500) : fewer(700));
        for (int i = 0; i < args.length && i < 2; i++) {
            others[i].join();
            say(sums[i]);
        }
        try {
            MessageDigest.getInstance("SHA-256").update(new byte[70], 60, 20);
        } catch (IllegalArgumentException e) {
            say(e.getMessage());
        }
    }
}
