/** Array covariance: stores are checked against the element type at run time, also by arraycopy. */
public class ArrayStore {
    interface Shape { }
    interface Round { }
    static class Circle implements Shape, Round { public String toString() { return "circle"; } }
    static class Disk extends Circle { public String toString() { return "disk"; } }
    static class Square implements Shape { public String toString() { return "square"; } }

    static void store(Object[] a, Object v) {
        try {
            a[0] = v;
            System.out.println("ok " + (a[0] == null ? "null" : a[0].getClass().getName()));
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
    }

    static void copy(Object from, Object to) {
        try {
            System.arraycopy(from, 0, to, 0, 3);
            System.out.println("copied");
        } catch (ArrayStoreException e) {
            System.out.println("store " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        Object[] values = {new Circle(), new Disk(), new Square(), null, "text", new int[1], new Circle[0], new Disk[0]};
        Object[][] arrays = {new Object[1], new Shape[1], new Round[1], new Circle[1], new Disk[1], new Shape[1][1], new Cloneable[1], new Comparable[1]};
        for (Object[] a : arrays) for (Object v : values) store(a, v);
        arrays[0][0] = values[5];
        System.out.println(arrays[0][0] == values[5]);
        arrays[6][0] = values[6];
        System.out.println(arrays[6][0] == values[6]);
        try {
            arrays[5][0] = values[6];
            System.out.println("Circle[] is a Shape[]");
            arrays[5][0] = values[5];
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        Object[] mixed = {"a", "b", 3};
        String[] strings = {"x", "y", "z"};
        copy(mixed, strings);
        System.out.println(strings[0] + strings[1] + strings[2]);
        copy(strings, mixed);
        System.out.println(mixed[2]);
        copy(new int[3], new long[3]);
        copy(new int[3], new Object[3]);
        copy(new Integer[3], new String[3]);
        copy("not an array", strings);
        copy(strings, "not an array");
        copy(new Integer[] {1, 2, 3}, new Number[3]);
        copy(new int[][] {{1}, {2}, {3}}, new Object[3]);
        try {
            System.arraycopy(null, 0, strings, 0, 0);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        Disk[] disks = new Disk[2];
        Shape[] shapes = disks;
        shapes[1] = new Disk();
        System.out.println(disks[1] + " " + (shapes instanceof Disk[]) + " " + ((Object) shapes instanceof Square[]));
    }
}
