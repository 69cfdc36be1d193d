import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Natives that compiled code does itself, also in callees that are inlined, and the cases that it leaves to the natives. */
public class Natives {
    static class A {}
    static class B extends A {}
    static class C extends B {}
    static class D extends C {}
    static class E extends D {}
    static class F extends E {}
    static class G extends F {}
    static class H extends G {}
    static class I extends H {}
    static class J extends I implements RandomAccess {}
    static class Own {
        @Override
        public int hashCode() {
            return 77;
        }
    }

    static Class<?> classOf(Object o) {
        return o.getClass();
    }
    static boolean is(Class<?> c, Object o) {
        return c.isInstance(o);
    }
    static int hash(Object o) {
        return o.hashCode();
    }
    static boolean refers(Reference<Object> r, Object o) {
        return r.refersTo(o);
    }
    static double root(double x) {
        return Math.sqrt(x);
    }
    static long bits(double x) {
        return Double.doubleToRawLongBits(x);
    }
    static int bits(float x) {
        return Float.floatToRawIntBits(x);
    }
    static Thread me() {
        return Thread.currentThread();
    }

    static final Object[] OBJECTS = {
        new Object(), "text", new int[3], new Object[2], new String[1], new J(), new C(), new ArrayList<String>(), 5, new int[1][1], Natives.class,
    };
    static final Class<?>[] CLASSES = {
        Object.class, String.class, int[].class, Object[].class, CharSequence.class, J.class, B.class, RandomAccess.class, int.class,
        int[][].class, Class.class, Comparable.class, Cloneable.class, void.class, List.class,
    };

    static long classes(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Object o = OBJECTS[i % OBJECTS.length];
            Class<?> c = CLASSES[i % CLASSES.length];
            sum = sum * 31 + classOf(o).getSimpleName().length() + (is(c, o) ? 2 : 1) + (is(c, null) ? 8 : 0);
            if (o.getClass() == int[].class) {
                sum++;
            }
        }
        return sum;
    }
    static int failures(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++) {
            Object o = i % 7 == 0 ? null : OBJECTS[i % OBJECTS.length];
            try {
                caught += classOf(o) == null ? 1000 : 0;
                caught += hash(o) == 0 ? 1 : 0;
            } catch (NullPointerException e) {
                caught += e.getStackTrace()[0].getMethodName().length();
            }
        }
        return caught;
    }
    static int hashes(int n) {
        int same = 0;
        Object[] objects = new Object[16];
        for (int i = 0; i < n; i++) {
            int at = i % objects.length;
            if (i % 64 < 16) {
                objects[at] = i % 3 == 0 ? new Own() : new Object();
            }
            Object o = objects[at];
            int before = hash(o);
            synchronized (o) {
                same += before == hash(o) ? 1 : 0;
                same += System.identityHashCode(o) == before ? 1 : 0;
            }
            same += hash(o) == before ? 1 : 0;
        }
        return same + System.identityHashCode(null);
    }
    static int references(int n) {
        Object a = new Object(), b = new Object();
        List<Reference<Object>> all = List.of(new WeakReference<>(a), new SoftReference<>(b), new PhantomReference<>(a, new ReferenceQueue<>()),
            new WeakReference<>(null));
        int found = 0;
        for (int i = 0; i < n; i++) {
            Reference<Object> r = all.get(i % all.size());
            found += refers(r, a) ? 1 : 0;
            found += refers(r, b) ? 3 : 0;
            found += refers(r, null) ? 5 : 0;
        }
        Reference<Object> last = all.get(0);
        last.clear();
        return found + (refers(last, null) ? 1 : 0) + (a == b ? 1 : 0);
    }
    static long arrays(int n) {
        Map<Integer, Integer> map = new ConcurrentHashMap<>();
        AtomicReferenceArray<Object> array = new AtomicReferenceArray<>(OBJECTS);
        long sum = 0;
        for (int i = 0; i < n; i++) {
            map.merge(i % 500, 1, Integer::sum);
            sum += map.get(i % 500);
            sum += array.get(i % array.length()) == OBJECTS[i % OBJECTS.length] ? 1 : 0;
            try {
                array.get(i % 3 == 0 ? -i : i % 30);
                sum++;
            } catch (IndexOutOfBoundsException e) {
                sum += 2;
            }
        }
        return sum;
    }
    static final double[] NUMBERS = {2, -1, 0.0, -0.0, 1e300, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, 10, 0.1};

    static long numbers(int n) {
        long sum = 0;
        double more = 1;
        for (int i = 0; i < n; i++) {
            double x = NUMBERS[i % NUMBERS.length];
            double y = root(x) * root(i) + StrictMath.sqrt(x);
            // a double is in the register before, so half of it may be left above the float
            float f = (float) (y * more);
            long[] widened = {bits(f), bits(y), bits(Float.intBitsToFloat(i)), bits(Double.longBitsToDouble(i * 0x10001L))};
            for (long w : widened) {
                sum = sum * 31 + w;
            }
            more = Double.longBitsToDouble(0x3ff0000000000000L | i) + Float.intBitsToFloat(0x3f800000 | i & 0xffff);
        }
        return sum;
    }
    static int copies(int n) {
        int sum = 0;
        byte[] bytes = new byte[40];
        Object[] objects = new Object[40];
        for (int i = 0; i < n; i++) {
            bytes[i % 40] = (byte) i;
            objects[i % 40] = i % 2 == 0 ? "s" : i;
            System.arraycopy(bytes, i % 20, bytes, (i + 7) % 20, i % 21);
            System.arraycopy(objects, i % 20, objects, (i + 3) % 20, i % 21);
            try {
                System.arraycopy(bytes, i % 50 - 2, bytes, 0, 5);
                System.arraycopy(objects, 0, i % 5 == 0 ? new String[40] : objects, i % 3, 5);
                System.arraycopy(i % 9 == 0 ? bytes : objects, 0, objects, 1, 3 - i % 4);
            } catch (IndexOutOfBoundsException | ArrayStoreException e) {
                sum += e.getMessage().length();
            }
            sum = sum * 31 + bytes[i % 17] + Objects.hashCode(objects[i % 13 * 3]);
        }
        return sum;
    }
    static int[] threads(int n) throws InterruptedException {
        int[] wrong = new int[4];
        Thread[] all = new Thread[wrong.length];
        for (int t = 0; t < all.length; t++) {
            int number = t;
            all[t] = new Thread(() -> {
                Thread own = all[number];
                for (int i = 0; i < n; i++) {
                    byte[] garbage = new byte[i % 100 == 0 ? 10_000 : 0];
                    if (me() != own || garbage.length > 10_000) {
                        wrong[number]++;
                    }
                    if (i % 1000 == 0) {
                        Thread.yield();
                    }
                }
            });
        }
        for (Thread t : all) {
            t.start();
        }
        for (Thread t : all) {
            t.join();
        }
        return wrong;
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        for (Object o : OBJECTS) {
            hash(o);
        }
        for (int round = 0; round < 2; round++) {
            System.out.println(classes(n) + " " + failures(n) + " " + hashes(n) + " " + references(n) + " " + arrays(n) + " " + numbers(n) + " " + copies(n));
            int wrong = 0;
            for (int w : threads(n)) {
                wrong += w;
            }
            System.out.println(wrong + " " + me().getName() + " " + new HashMap<>(Map.of(me(), 1)).get(me()));
        }
    }
}
