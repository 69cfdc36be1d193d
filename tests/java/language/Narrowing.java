/** byte, short and char: casts, stores, fields, arrays, compound assignment and increment all narrow. */
public class Narrowing {
    static byte sb;
    static short ss;
    static char sc;
    static boolean sz;
    byte b;
    short s;
    char c;

    static byte toByte(int i) { return (byte) i; }
    static short toShort(int i) { return (short) i; }
    static char toChar(int i) { return (char) i; }

    public static void main(String[] args) {
        int[] ints = {0, 127, 128, 255, 256, -1, -128, -129, 32767, 32768, 65535, 65536, -32769, 0x12345678, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int i : ints) {
            System.out.println(i + ": " + toByte(i) + " " + toShort(i) + " " + (int) toChar(i) + " " + (int) (char) (byte) i + " " + (short) (char) i + " " + (byte) (long) i);
        }
        byte b = 127;
        b++;
        System.out.println(b);
        b += 200;
        System.out.println(b);
        b *= b;
        System.out.println(b);
        b -= 1000;
        System.out.println(b);
        b /= 3.5;
        System.out.println(b);
        short s = 32767;
        s += 1;
        System.out.println(s);
        s = (short) -s;
        System.out.println(s);
        char c = 0;
        c--;
        System.out.println((int) c);
        c += 'b';
        System.out.println(c);
        c++;
        System.out.println(c);
        System.out.println(c + 1);
        System.out.println((char) (c + 1));
        System.out.println('a' + 'b' + "c" + 'd' + 1);
        byte[] bytes = new byte[3];
        short[] shorts = new short[3];
        char[] chars = new char[3];
        for (int i = 0; i < 300; i++) {
            bytes[i % 3] += i;
            shorts[i % 3] += i * 1000;
            chars[i % 3] -= i * 999;
        }
        System.out.println(bytes[0] + " " + bytes[1] + " " + bytes[2]);
        System.out.println(shorts[0] + " " + shorts[1] + " " + shorts[2]);
        System.out.println((int) chars[0] + " " + (int) chars[1] + " " + (int) chars[2]);
        Narrowing n = new Narrowing();
        for (int i = 0; i < 1000; i++) {
            n.b += 3;
            n.s += 777;
            n.c += 777;
            sb -= 3;
            ss -= 777;
            sc -= 777;
            sz = !sz;
        }
        System.out.println(n.b + " " + n.s + " " + (int) n.c + " " + sb + " " + ss + " " + (int) sc + " " + sz);
        System.out.println(n.b++ + n.b-- + ++n.b + --n.b);
    }
}
