import java.nio.ByteBuffer;
import java.util.Arrays;

/** Fields, strings, arrays and direct buffers in the hands of native code. */
public class Data {
    static class Fields {
        boolean fBoolean = true; byte fByte = -128; char fChar = 'x'; short fShort = 300; int fInt = 7; long fLong = 5; float fFloat = 3; double fDouble = 1.5; Object fObject;
        static boolean sBoolean; static byte sByte = 1; static char sChar = 0xffff; static short sShort = -32768; static int sInt = -1; static long sLong = -2; static float sFloat = 0.1f; static double sDouble = -3; static Object sObject = "s";
        public String toString() {
            return fBoolean + " " + fByte + " " + fChar + " " + fShort + " " + fInt + " " + fLong + " " + fFloat + " " + fDouble + " " + (fObject == this) + " "
                + sBoolean + " " + sByte + " " + (int) sChar + " " + sShort + " " + sInt + " " + sLong + " " + sFloat + " " + sDouble + " " + sObject;
        }
    }
    static class Heir extends Fields {}
    static class Lazy { static long sLong = 40; static { System.out.println("Lazy is initialized"); } }

    static native void change(Object o);
    static native long inherited(Object o, Class<?> c);
    static native String string(String s);
    static native void region(String s, int start, int len);
    static native void utfRegion(String s, int start, int len);
    static native Object[] arrays();
    static native int array(int what, Object a, int x, int y);
    static native ByteBuffer buffer();
    static native String memory();
    static native int unmade();
    static native long look(Object b);

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": done");
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        System.loadLibrary("jnisuite");
        Fields f = new Fields();
        change(f);
        System.out.println(f);
        System.out.println(inherited(new Heir(), Lazy.class));
        for (String s : new String[] {"", "a", "ab\0c", "gr\u00fc\u00df", "\u20ac\u4e2d", "\ud83d\ude00!", "\ud800x"}) System.out.println(string(s));
        attempt("region", () -> region("abc", 1, 3));
        attempt("region", () -> region("abc", -1, 1));
        attempt("region", () -> region("abc", 3, 0));
        attempt("utf region", () -> utfRegion("abc", 2, 5));
        System.out.println("characters of a string that is not constructed: " + unmade());
        System.out.println(Arrays.deepToString(arrays()));
        int[] a = {9, 8, 7};
        System.out.println(array(0, a, 0, 0) + " " + array(0, new String[4], 0, 0));
        System.out.println(array(1, a, 1, 2));
        attempt("get", () -> array(1, a, 2, 2));
        attempt("get", () -> array(1, a, -1, 1));
        attempt("get", () -> array(1, a, 3, 0));
        attempt("set", () -> array(2, a, 0, 3));
        System.out.println(Arrays.toString(a));
        attempt("set", () -> array(2, a, 1, 3));
        attempt("element", () -> array(3, new Object[2], 2, 0));
        attempt("element", () -> array(3, new Object[2], -1, 0));
        attempt("store", () -> array(4, new Object[2], 1, 0));
        attempt("store", () -> array(4, new String[2], 1, 0));
        attempt("new", () -> array(5, null, 3, 0));
        attempt("new", () -> array(5, null, -3, 0));
        attempt("new", () -> array(6, null, -1, 0));
        ByteBuffer b = buffer();
        byte[] text = new byte[13];
        b.get(text);
        System.out.println(new String(text) + " " + b.capacity() + " " + b.isDirect());
        b.put(0, (byte) 'N');
        System.out.println(memory());
        ByteBuffer own = ByteBuffer.allocateDirect(10);
        for (int i = 0; i < 10; i++) own.put(i, (byte) (i * 20));
        System.out.println(look(own) + " " + own.get(9) + " " + look(own.asLongBuffer()) + " " + look(ByteBuffer.allocate(3)) + " " + look("text"));
    }
}
