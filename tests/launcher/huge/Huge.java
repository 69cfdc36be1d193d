import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.Arrays;

/** Large arrays, all of each: filled, sorted, copied, reflected on, collected. */
public class Huge {
    static int LONGS, REFS;
    static final int STEP = 50_021;

    static void check(boolean good, String what) {
        if (!good) throw new AssertionError(what);
        System.out.println(what);
    }

    static boolean ascends(long[] a) {
        for (int i = 0; i < a.length; i++) if (a[i] != i) return false;
        return true;
    }

    static void longs() {
        long[] a = new long[LONGS];
        // two runs, which sorting merges
        int half = LONGS / 2;
        for (int i = 0; i < half; i++) a[i] = 2L * i + 1;
        for (int i = half; i < LONGS; i++) a[i] = 2L * (i - half);
        Arrays.sort(a);
        check(ascends(a), "sorted");
        long[] b = a.clone();
        check(ascends(b), "cloned");
        System.arraycopy(a, 0, b, 1, LONGS - 1);
        System.arraycopy(b, 1, b, 0, LONGS - 1);
        // the heap has room for two of them
        a = null;
        long[] c = Arrays.copyOf(b, LONGS - 1);
        check(ascends(c) && b[LONGS - 1] == LONGS - 2, "copied");
        b = null;
        a = Arrays.copyOf(c, LONGS);
        a[LONGS - 1] = LONGS - 1;
        c = null;
        int some = Math.min(3_000_000, LONGS / 4), rest = LONGS - some;
        for (int i = rest; i < LONGS; i++) a[i] = rest + (i * 7L + 5) % some;
        Arrays.parallelSort(a, rest, LONGS);
        check(ascends(a), "sorted in parallel");
        VarHandle h = MethodHandles.arrayElementVarHandle(long[].class);
        for (int i = 0; i < LONGS; i += STEP) {
            Array.setLong(a, i, -i);
            if ((long) h.getVolatile(a, i) != -i) throw new AssertionError(i);
            h.set(a, i, (long) i);
            if (Array.getLong(a, i) != i) throw new AssertionError(i);
        }
        check(ascends(a), "reflected");
        Arrays.fill(a, -7);
        for (long x : a) if (x != -7) throw new AssertionError();
        check(a.length == LONGS, "filled");
    }

    static boolean holds(Object[] a, int round) {
        for (int i = 0; i < a.length; i += STEP) if (!a[i].equals(round + " " + i)) return false;
        return a.length == REFS && a[1] == null && a[REFS - 2] == null;
    }

    static void references() {
        Object[] a = new Object[REFS];
        for (int round = 0; round < 40; round++) {
            // old arrays with young elements, 20,000 garbage strings between two collections
            for (int i = 0; i < REFS; i += STEP) a[i] = round + " " + i;
            if (round % 10 == 0) check(holds(a, round), "young elements of round " + round);
        }
        System.gc();
        check(holds(a, 39), "moved");
        Object[] b = a.clone();
        a = null;
        System.gc();
        check(holds(b, 39), "cloned and moved");
    }

    /** With the number of longs. */
    public static void main(String[] args) {
        LONGS = Integer.parseInt(args[0]);
        REFS = 2 * LONGS;
        longs();
        references();
    }
}
