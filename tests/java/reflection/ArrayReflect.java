import java.lang.reflect.Array;
import java.util.Arrays;

/** java.lang.reflect.Array: creating, reading, writing with conversions, and what is refused. */
public class ArrayReflect {
    interface Body { Object run(); }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (RuntimeException e) {
            System.out.println(what + " -> " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        Class<?>[] prims = {boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class};
        for (Class<?> p : prims) {
            Object a = Array.newInstance(p, 2);
            System.out.println(a.getClass().getName() + " " + Array.getLength(a) + " " + (p == char.class ? (int) Array.getChar(a, 1) : Array.get(a, 1)));
        }
        Object grid = Array.newInstance(String.class, 2, 3), deep = Array.newInstance(int[].class, 1, 2);
        System.out.println(grid.getClass().getName() + " " + deep.getClass().getName() + " " + Array.getLength(Array.get(grid, 1)) + " " + Array.get(Array.get(deep, 0), 1));
        int[] ints = {1, 2, 3};
        double[] doubles = {0, 0};
        byte[] bytes = {5};
        Object[] objects = new Integer[2];
        show("widen get", () -> Array.getDouble(ints, 1) + Array.getLong(bytes, 0) + Array.getFloat(ints, 2));
        show("narrow get", () -> Array.getByte(ints, 0));
        show("boolean get", () -> Array.getBoolean(ints, 0));
        show("set", () -> { Array.set(ints, 0, (short) 7); Array.setChar(ints, 1, 'a'); Array.setByte(ints, 2, (byte) -1); return Arrays.toString(ints); });
        show("set long", () -> { Array.set(ints, 0, 7L); return 0; });
        show("set null", () -> { Array.set(ints, 0, null); return 0; });
        show("set float", () -> { Array.setFloat(doubles, 0, 1.5f); Array.set(doubles, 1, 'b'); return Arrays.toString(doubles); });
        show("set object", () -> { Array.set(objects, 0, 5); return objects[0]; });
        show("store", () -> { Array.set(objects, 1, "s"); return 0; });
        show("index", () -> Array.get(ints, 3));
        show("index", () -> { Array.setInt(ints, -1, 0); return 0; });
        show("not an array", () -> Array.getLength("s"));
        show("null array", () -> Array.getLength(null));
        show("null class", () -> Array.newInstance(null, 1));
        show("void", () -> Array.newInstance(void.class, 1));
        show("negative", () -> Array.newInstance(int.class, -1));
        show("no dims", () -> Array.newInstance(int.class));
        show("256 dims", () -> Array.newInstance(int.class, new int[256]));
        show("255 dims", () -> Array.newInstance(int.class, new int[255]).getClass().getName().length());
        show("254 more", () -> { Object a = Array.newInstance(int.class, new int[200]); return Array.newInstance(a.getClass(), new int[60]); });
        show("copyOf", () -> Arrays.copyOf(new String[] {"a"}, 2, Object[].class).getClass().getName() + Arrays.copyOf(new Object[] {"a"}, 1, String[].class)[0]);
        show("copyOf store", () -> Arrays.copyOf(new Object[] {1}, 1, String[].class)[0]);
    }
}
