import java.lang.reflect.Field;
import java.util.Arrays;
import sun.misc.Unsafe;

/** Tries to make references of numbers, and numbers of what the VM knows objects by. */
public class Forge {
    static Object text = "text";
    Object o = "text";
    int i = 7;
    long l = 8;

    static void refused(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": done");
        } catch (InternalError e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Unsafe u = (Unsafe) f.get(null);
        Forge x = new Forge();
        Object[] array = {null, "text"};
        long o = u.objectFieldOffset(Forge.class.getDeclaredField("o"));
        long i = u.objectFieldOffset(Forge.class.getDeclaredField("i"));
        long s = u.staticFieldOffset(Forge.class.getDeclaredField("text"));
        Object base = u.staticFieldBase(Forge.class.getDeclaredField("text"));
        long element = Unsafe.ARRAY_OBJECT_BASE_OFFSET + Unsafe.ARRAY_OBJECT_INDEX_SCALE;
        refused("an int over a reference", () -> u.putInt(x, o, 0x12345677));
        refused("a byte over a reference", () -> u.putByte(x, o + 3, (byte) 1));
        refused("a long over a reference", () -> u.putLong(x, o - 4, 1));
        refused("an exchanged int over a reference", () -> u.compareAndSwapInt(x, o, u.getInt(x, o), 1));
        refused("an int over an element", () -> u.putInt(array, element, 1));
        refused("an int over a static reference", () -> u.putInt(base, s, 1));
        refused("an int as reference", () -> u.getObject(x, i));
        refused("a reference at an odd place", () -> u.getObject(array, element + 2));
        refused("a reference over an int", () -> u.compareAndSwapObject(x, i, null, "text"));
        refused("a header", () -> u.putInt(x, 0, 1));
        refused("a length", () -> u.putInt(array, 8, 1000));
        refused("behind the object", () -> u.putLong(x, 1 << 20, 1));
        refused("the class of a class", () -> u.putInt(Forge.class, 8, 1));
        System.out.println(text + " " + x.i + " " + u.getLong(x, u.objectFieldOffset(Forge.class.getDeclaredField("l"))) + " " + Arrays.toString(array));
    }
}
