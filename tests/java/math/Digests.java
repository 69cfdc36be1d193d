import java.nio.charset.StandardCharsets;
import java.security.*;
import java.util.*;
import java.util.zip.*;
import javax.crypto.*;
import javax.crypto.spec.*;

/** MessageDigest, Mac, ciphers with fixed keys, checksums: results are specified to the byte. */
public class Digests {
    static String hex(byte[] b) { return HexFormat.of().formatHex(b); }

    public static void main(String[] args) throws Exception {
        byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII), big = new byte[1000];
        for (int i = 0; i < big.length; i++) big[i] = (byte) (i * 31);
        for (String name : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA3-256"}) {
            MessageDigest d = MessageDigest.getInstance(name);
            System.out.println(name + " " + d.getDigestLength() + " " + hex(d.digest(abc)) + " " + hex(d.digest(new byte[0])).substring(0, 16));
            d.update(big, 0, 500);
            MessageDigest copy = (MessageDigest) d.clone();
            d.update(big, 500, 500);
            copy.update(Arrays.copyOfRange(big, 500, 1000));
            System.out.println("  " + MessageDigest.isEqual(d.digest(), copy.digest()) + " " + hex(d.digest(big)).substring(0, 24));
        }
        for (String name : new String[] {"HmacMD5", "HmacSHA256"}) {
            Mac m = Mac.getInstance(name);
            m.init(new SecretKeySpec("key".getBytes(), name));
            System.out.println(name + " " + hex(m.doFinal("The quick brown fox jumps over the lazy dog".getBytes())));
        }
        SecretKeySpec key = new SecretKeySpec(hex2("000102030405060708090a0b0c0d0e0f"), "AES");
        for (String mode : new String[] {"AES/ECB/NoPadding", "AES/CBC/PKCS5Padding", "AES/CTR/NoPadding", "AES/GCM/NoPadding"}) {
            Cipher c = Cipher.getInstance(mode);
            if (mode.contains("ECB")) c.init(Cipher.ENCRYPT_MODE, key);
            else if (mode.contains("GCM")) c.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
            else c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
            byte[] out = c.doFinal(hex2("00112233445566778899aabbccddeeff"));
            if (mode.contains("ECB")) c.init(Cipher.DECRYPT_MODE, key);
            else if (mode.contains("GCM")) c.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
            else c.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[16]));
            System.out.println(mode + " " + hex(out) + " " + hex(c.doFinal(out)));
        }
        SecretKeyFactory f = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1");
        System.out.println(hex(f.generateSecret(new PBEKeySpec("password".toCharArray(), "salt".getBytes(), 2, 160)).getEncoded()));
        CRC32 crc = new CRC32();
        CRC32C crcc = new CRC32C();
        Adler32 adler = new Adler32();
        for (Checksum s : new Checksum[] {crc, crcc, adler}) {
            s.update("123456789".getBytes(), 0, 9);
            long v = s.getValue();
            s.reset();
            for (byte b : big) s.update(b);
            long w = s.getValue();
            s.reset();
            s.update(big, 3, 900);
            s.update(java.nio.ByteBuffer.wrap(big, 0, 77));
            System.out.println(s.getClass().getSimpleName() + " " + Long.toHexString(v) + " " + Long.toHexString(w) + " " + Long.toHexString(s.getValue()));
        }
        try {
            MessageDigest.getInstance("NONE-1");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        try {
            Cipher c = Cipher.getInstance("AES/ECB/NoPadding");
            c.init(Cipher.ENCRYPT_MODE, key);
            c.doFinal(abc);
        } catch (IllegalBlockSizeException e) {
            System.out.println(e.getMessage());
        }
        SecureRandom r = new SecureRandom();
        byte[] x = new byte[16], y = new byte[16];
        r.nextBytes(x);
        r.nextBytes(y);
        System.out.println(!Arrays.equals(x, y));
    }

    static byte[] hex2(String s) { return HexFormat.of().parseHex(s); }
}
