import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.LongBuffer;
import java.util.Arrays;

/** Elements more than 4 GB behind the start of their array, reached in every way there is. */
public class LargeArrays {
    /** Elements of an array of longs and of one of references before the offset needs 33 bits. */
    static final int LONGS = (int) ((1L << 32) / 8) - 2, REFS = (int) ((1L << 32) / 4) - 4;

    static Object sink;

    static void young() {
        for (int i = 0; i < 40; i++) sink = new byte[4_000_000];
    }

    static void longs() throws Exception {
        long[] a = new long[560_000_000];
        int top = a.length - 1;
        for (int i = LONGS - 4; i < LONGS + 4; i++) a[i] = i;
        Array.setLong(a, LONGS + 4, LONGS + 4);
        Array.set(a, LONGS + 5, (long) LONGS + 5);
        VarHandle h = MethodHandles.arrayElementVarHandle(long[].class);
        h.set(a, LONGS + 6, (long) LONGS + 6);
        h.setVolatile(a, LONGS + 7, 1L);
        System.out.println(h.compareAndSet(a, LONGS + 7, 1L, (long) LONGS + 7));
        System.out.println((long) h.getAndAdd(a, top, 5L) + " " + (long) h.getVolatile(a, top));
        for (int i = LONGS - 4; i < LONGS + 8; i++) {
            if (a[i] != i || Array.getLong(a, i) != i || !Array.get(a, i).equals((long) i) || (long) h.get(a, i) != i)
                System.out.println(i + " holds " + a[i]);
        }
        System.arraycopy(a, LONGS - 4, a, 10, 12);
        System.arraycopy(a, LONGS - 4, a, LONGS - 2, 12);
        System.arraycopy(a, 10, a, LONGS + 100, 12);
        System.out.println(Arrays.toString(Arrays.copyOfRange(a, LONGS - 4, LONGS + 10)));
        Arrays.fill(a, LONGS - 3, LONGS + 3, -1);
        Arrays.sort(a, LONGS - 4, LONGS + 8);
        System.out.println(Arrays.toString(Arrays.copyOfRange(a, LONGS - 4, LONGS + 8)));
        for (int i = 0; i < 20_000; i++) a[top - i] = i * 7919L % 20_011;
        Arrays.parallelSort(a, top - 19_999, top + 1);
        System.out.println(a[top - 19_999] + " " + a[top - 10_000] + " " + a[top]);
        System.out.println(Arrays.binarySearch(a, top - 19_999, top + 1, a[top - 77]) == top - 77);
        LongBuffer b = LongBuffer.wrap(a);
        System.out.println(b.get(LONGS) + " " + b.slice(LONGS - 2, 4).put(1, 77).get(1) + " " + a[LONGS - 1]);
        System.out.println(a.length + " " + a.getClass() + " " + a[0] + " " + a[1] + " " + a[2]);
    }

    static void references() throws Exception {
        Object[] a = new Object[1_120_000_000];
        int top = a.length - 1;
        VarHandle h = MethodHandles.arrayElementVarHandle(Object[].class);
        for (int round = 0; round < 3; round++) {
            // an old array that only its cards say has young elements
            for (int i = -3; i < 4; i++) a[REFS + i] = "round " + round + " element " + i;
            Array.set(a, REFS + 4, "set " + round);
            h.set(a, REFS + 5, "handle " + round);
            System.out.println(h.compareAndSet(a, REFS + 6, null, "exchanged " + round));
            a[top] = "last " + round;
            System.arraycopy(new String[] {"copied " + round, "too"}, 0, a, REFS + 7, 2);
            young();
            System.out.println(Arrays.toString(Arrays.copyOfRange(a, REFS - 4, REFS + 10)) + " " + a[top]);
            System.out.println(Array.get(a, REFS) + " " + h.getVolatile(a, REFS + 1));
            System.arraycopy(a, REFS - 3, a, REFS - 2, 7);
            String[] some = new String[5];
            System.arraycopy(a, REFS - 2, some, 0, 5);
            young();
            System.out.println(Arrays.toString(some) + " " + a[REFS + 4] + " " + a[0] + " " + a[5]);
            try {
                a[REFS + 2] = 5;
                System.arraycopy(a, REFS, some, 0, 5);
            } catch (ArrayStoreException e) {
                System.out.println(e.getMessage() + " " + Arrays.toString(some));
            }
        }
        System.out.println(a.length + " " + a.getClass());
        try {
            a[a.length] = null;
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }

    static void sizes() {
        int[][] dims = new int[1][1_100_000_000];
        dims[0][1_099_999_999] = 3;
        System.out.println(dims[0].length + " " + dims[0][1_099_999_999] + " " + dims[0][0]);
        dims = null;
        for (int n : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1}) {
            try {
                sink = new double[n];
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage());
            }
            try {
                sink = Array.newInstance(long.class, n);
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            sink = new long[Integer.MAX_VALUE - 8];
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        longs();
        references();
        sizes();
    }
}
