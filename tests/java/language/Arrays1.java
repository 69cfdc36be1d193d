/** Arrays of all kinds: default values, bounds, lengths, initialisers, clone, class names. */
public class Arrays1 {
    static int bounds(int[] a, int i) {
        try {
            return a[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
            return -1;
        }
    }

    public static void main(String[] args) {
        boolean[] z = new boolean[3];
        byte[] b = new byte[3];
        char[] c = new char[3];
        short[] s = new short[3];
        int[] i = new int[3];
        long[] l = new long[3];
        float[] f = new float[3];
        double[] d = new double[3];
        Object[] o = new Object[3];
        System.out.println(z[0] + " " + b[1] + " " + (int) c[2] + " " + s[0] + " " + i[1] + " " + l[2] + " " + (int) f[0] + " " + (int) d[1] + " " + o[2]);
        for (int k = 0; k < 3; k++) {
            z[k] = k == 1;
            b[k] = (byte) (k * 100);
            c[k] = (char) ('a' + k);
            s[k] = (short) (k * 20000);
            i[k] = k * 1_500_000_000;
            l[k] = k * 5_000_000_000L;
            f[k] = k * 1.5f;
            d[k] = k * 2.5;
            o[k] = k == 0 ? i : k == 1 ? "s" : o;
        }
        for (int k = 0; k < 3; k++) System.out.println(z[k] + " " + b[k] + " " + c[k] + " " + s[k] + " " + i[k] + " " + l[k] + " " + (int) (f[k] * 2) + " " + (int) (d[k] * 2));
        System.out.println((o[0] == i) + " " + o[1] + " " + (o[2] == o));
        for (int k : new int[] {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE, 2}) System.out.println(bounds(i, k));
        bounds(new int[0], 0);
        int[] copy = i.clone();
        copy[1] = 7;
        System.out.println(i[1] + " " + copy[1] + " " + copy.length + " " + (copy.getClass() == i.getClass()));
        Object[] shallow = o.clone();
        System.out.println(shallow[0] == o[0]);
        for (Object a : new Object[] {z, b, c, s, i, l, f, d, o, new String[0], new int[0][0], new Arrays1[1][2][3]}) System.out.print(a.getClass().getName() + " ");
        System.out.println();
        System.out.println(int[].class.getComponentType() + " " + String[][].class.getComponentType().getName() + " " + i.getClass().getSuperclass().getName());
        System.out.println((Object) i instanceof Cloneable && (Object) i instanceof java.io.Serializable);
        try {
            int n = -5;
            System.out.println(new long[n].length);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        int[] fib = new int[30];
        fib[0] = fib[1] = 1;
        for (int k = 2; k < fib.length; k++) fib[k] = fib[k - 1] + fib[k - 2];
        System.out.println(fib[29]);
        int[] src = {1, 2, 3, 4, 5};
        System.arraycopy(src, 0, src, 1, 4);
        for (int v : src) System.out.print(v + " ");
        System.arraycopy(src, 1, src, 0, 4);
        for (int v : src) System.out.print(v + " ");
        System.out.println();
        try {
            System.arraycopy(src, 3, src, 0, 3);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
