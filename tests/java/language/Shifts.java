/** Shift distances are taken modulo 32 or 64; >> keeps the sign, >>> does not. */
public class Shifts {
    public static void main(String[] args) {
        int[] ints = {1, -1, 0x80000000, 0x7fffffff, 0x12345678, -559038737};
        long[] longs = {1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x123456789abcdef0L};
        int[] by = {0, 1, 7, 31, 32, 33, 63, 64, 65, -1, -31, -33, 1 << 30};
        for (int v : ints) {
            StringBuilder line = new StringBuilder();
            for (int d : by) line.append(v << d).append(' ').append(v >> d).append(' ').append(v >>> d).append(" | ");
            System.out.println(line);
        }
        for (long v : longs) {
            StringBuilder line = new StringBuilder();
            for (int d : by) line.append(v << d).append(' ').append(v >> d).append(' ').append(v >>> d).append(" | ");
            System.out.println(line);
        }
        long distance = (1L << 33) + 3;
        System.out.println(1 << distance);
        System.out.println(-1L >>> distance);
        byte b = (byte) 0x90;
        b >>>= 2;
        System.out.println(b);
        b = (byte) 0x90;
        System.out.println(b >>> 2);
        System.out.println((b & 0xff) >>> 2);
        short s = (short) 0x8000;
        s >>= 15;
        System.out.println(s);
        char c = 0xffff;
        c <<= 4;
        System.out.println((int) c);
        c >>= 4;
        System.out.println((int) c);
        int x = 0x0f0f1234;
        System.out.println((x >>> 24) + " " + (x >> 16 & 0xff) + " " + (x >> 8 & 0xff) + " " + (x & 0xff));
        int rotated = 0;
        for (int i = 0; i < 64; i++) rotated ^= (x << i) | (x >>> -i);
        System.out.println(rotated);
        System.out.println((x << 8 | x >>> 24) + " " + Integer.rotateLeft(x, 8) + " " + Integer.rotateRight(x, -8) + " " + Long.rotateLeft(longs[4], 20));
    }
}
