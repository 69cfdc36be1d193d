import java.util.Arrays;

/** Stores of subclass instances into arrays, at indices that are computed just before the store. */
public class ArrayStores {
    interface Shape { default String text() { return getClass().getSimpleName(); } }
    interface Round extends Shape { }
    static class Base implements Shape { }
    static class Left extends Base { }
    static class Circle implements Round { }
    static class Deep extends Circle { }

    static void shifted(Shape[] a, int i, Shape v) { a[i >> 1] = v; }
    static void summed(Object[] a, int i, int j, Object v) { a[i + j] = v; a[i ^ j] = v; }
    static void nested(Shape[][] a, int i, Shape[] v) { a[i * 2] = v; }
    /** The index is used again after the store. */
    static int reused(Shape[] a, int i, Shape v) { int k = i & 3; a[k] = v; return k + 1; }
    static void thrown(Object[] a, int i, Object v) {
        try { a[i - 1] = v; System.out.println("stored " + v); } catch (ArrayStoreException e) { System.out.println(e.getMessage()); }
    }

    public static void main(String[] args) {
        Shape[] shapes = new Shape[8];
        Shape[] all = {new Left(), new Deep(), new Circle(), new Base(), null};
        for (int i = 0; i < 16; i++) shifted(shapes, i, all[i % all.length]);
        System.out.println(names(shapes));
        Object[] objects = new Number[6];
        for (int i = 0; i < 3; i++) summed(objects, i, i + 1, i % 2 == 0 ? Integer.valueOf(i) : Double.valueOf(i));
        System.out.println(Arrays.toString(objects));
        Shape[][] rows = new Shape[5][];
        nested(rows, 1, new Round[1]);
        nested(rows, 2, new Left[2]);
        System.out.println(rows[2].getClass().getSimpleName() + " " + rows[4].getClass().getSimpleName());
        int sum = 0;
        for (int i = 0; i < 8; i++) sum += reused(shapes, i, all[(i + 1) % all.length]);
        System.out.println(sum + " " + names(shapes));
        thrown(new Integer[2], 1, "text");
        thrown(new Comparable<?>[2], 2, "text");
        thrown(new Round[1], 1, new Left());
        thrown(new int[1][], 1, new long[0]);
    }
    static String names(Shape[] a) {
        StringBuilder b = new StringBuilder();
        for (Shape s : a) b.append(s == null ? "-" : s.text()).append(' ');
        return b.toString().trim();
    }
}
