/** Bit twiddling: CRC-32, xorshift, SHA-1 and bit counting by hand in int, long and byte code. */
public class Crc {
    static final int[] TABLE = new int[256];

    static {
        for (int n = 0; n < 256; n++) {
            int c = n;
            for (int k = 0; k < 8; k++) c = (c & 1) != 0 ? 0xedb88320 ^ c >>> 1 : c >>> 1;
            TABLE[n] = c;
        }
    }

    static int crc(byte[] data) {
        int c = ~0;
        for (byte b : data) c = TABLE[(c ^ b) & 0xff] ^ c >>> 8;
        return ~c;
    }

    static String hex(int v) {
        char[] out = new char[8];
        for (int i = 7; i >= 0; i--, v >>>= 4) out[i] = "0123456789abcdef".charAt(v & 15);
        return new String(out);
    }

    static String sha1(byte[] msg) {
        int n = (msg.length + 8) / 64 + 1;
        byte[] p = new byte[n * 64];
        for (int i = 0; i < msg.length; i++) p[i] = msg[i];
        p[msg.length] = (byte) 0x80;
        long bits = msg.length * 8L;
        for (int i = 0; i < 8; i++) p[p.length - 1 - i] = (byte) (bits >>> 8 * i);
        int h0 = 0x67452301, h1 = 0xefcdab89, h2 = 0x98badcfe, h3 = 0x10325476, h4 = 0xc3d2e1f0;
        int[] w = new int[80];
        for (int block = 0; block < n; block++) {
            for (int t = 0; t < 80; t++) {
                int at = block * 64 + t * 4;
                w[t] = t < 16 ? (p[at] & 255) << 24 | (p[at + 1] & 255) << 16 | (p[at + 2] & 255) << 8 | p[at + 3] & 255
                    : rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
            }
            int a = h0, b = h1, c = h2, d = h3, e = h4;
            for (int t = 0; t < 80; t++) {
                int f = t < 20 ? (b & c | ~b & d) + 0x5a827999 : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1 : t < 60 ? (b & c | b & d | c & d) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
                int next = rotate(a, 5) + f + e + w[t];
                e = d;
                d = c;
                c = rotate(b, 30);
                b = a;
                a = next;
            }
            h0 += a; h1 += b; h2 += c; h3 += d; h4 += e;
        }
        return hex(h0) + hex(h1) + hex(h2) + hex(h3) + hex(h4);
    }

    static int rotate(int v, int by) { return v << by | v >>> 32 - by; }

    static long xorshift(long s) {
        s ^= s << 13;
        s ^= s >>> 7;
        return s ^ s << 17;
    }

    static int bits(long v) {
        int n = 0;
        for (; v != 0; v &= v - 1) n++;
        return n;
    }

    static byte[] bytes(String s) {
        byte[] b = new byte[s.length()];
        for (int i = 0; i < b.length; i++) b[i] = (byte) s.charAt(i);
        return b;
    }

    public static void main(String[] args) {
        System.out.println(hex(crc(bytes("123456789"))) + " " + hex(crc(new byte[0])) + " " + hex(TABLE[255]));
        System.out.println(sha1(bytes("abc")));
        System.out.println(sha1(bytes("")));
        StringBuilder a = new StringBuilder();
        for (int i = 0; i < 100; i++) a.append((char) ('a' + i % 26));
        System.out.println(sha1(bytes(a.toString())));
        long s = 88172645463325252L;
        int ones = 0;
        for (int i = 0; i < 1000; i++) ones += bits(s = xorshift(s));
        System.out.println(s + " " + ones);
        int reversed = 0;
        for (int i = 0, v = 0x12345678; i < 32; i++, v >>>= 1) reversed = reversed << 1 | v & 1;
        System.out.println(hex(reversed) + " " + hex(Integer.reverse(0x12345678)) + " " + Integer.bitCount(-2) + " " + Long.numberOfTrailingZeros(1L << 40) + " " + Integer.numberOfLeadingZeros(255) + " " + Integer.highestOneBit(1000) + " " + hex(Integer.reverseBytes(1)));
    }
}
