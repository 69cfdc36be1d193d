import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Values of all kinds, written in all ways. */
public class Kinds {
    static long wide = 5;
    static String text = "first";

    int plain = 1;
    double real;
    Object link;
    byte[] bytes = {1, 2, 3, 4};

    static class Below extends Kinds {
        int own;
    }

    static int choose(boolean first, int a, int b) {
        return first ? a : b;
    }

    static int caught(Object o) {
        try {
            return o.hashCode();
        } catch (NullPointerException e) {
            Object seen = e;
            return mark(seen);
        }
    }

    static int mark(Object o) {
        return o == null ? 0 : 1;
    }

    static void thrower(int n) {
        if (n > 2) {
            throw new IllegalArgumentException("n is " + n);
        }
        thrower(n + 1);
    }

    static int fib(int n) {
        int result = n;
        if (n > 1) {
            result = fib(n - 1) + fib(n - 2);
        }
        return result;
    }

    static byte[] garbage(int rounds) {
        byte[] last = null;
        for (int i = 0; i < rounds; i++) {
            last = new byte[1000];
        }
        return last;
    }

    public static void main(String[] args) throws Exception {
        Below below = new Below();
        below.plain = 7;
        below.own = 8;
        below.real = 2.5 * below.own;
        wide = wide * 3L + 1;
        long local = wide << 2;
        AtomicInteger atomic = new AtomicInteger(3);
        atomic.incrementAndGet();
        AtomicIntegerArray atomics = new AtomicIntegerArray(4);
        atomics.set(2, 9);
        Field field = Kinds.class.getDeclaredField("link");
        field.set(below, "by reflection");
        Field shared = Kinds.class.getDeclaredField("text");
        shared.set(null, "by reflection too");
        int[] numbers = {5, 6, 7};
        int[] clone = numbers.clone();
        int[] moved = new int[5];
        System.arraycopy(numbers, 1, moved, 2, 2);
        int[][] square = new int[3][3];
        square[1][2] = 4;
        int chosen = choose(args.length == 0, numbers[0], 99);
        int result = caught(null);
        Object exception = null;
        try {
            thrower(0);
        } catch (IllegalArgumentException e) {
            exception = e;
        }
        int fib = fib(6);
        garbage(20_000);
        System.gc();
        Arrays.fill(below.bytes, (byte) 6);
        garbage(20_000);
        Integer boxed = 1000 + fib;
        int unboxed = boxed;
        fib++;
        char letter = (char) (unboxed % 26 + 'a');
        mark(letter + text + local + moved[3] + clone[1] + square[1][2] + chosen + result + exception);
    }
}
