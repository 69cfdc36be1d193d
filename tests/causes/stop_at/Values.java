import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** What a frame can hold. */
public class Values {
    enum Colour { RED, GREEN }

    static class Point {
        final int x;
        final long y;
        Point next;

        Point(int x, long y, Point next) {
            this.x = x;
            this.y = y;
            this.next = next;
        }
    }

    static class Late {
        static final int VALUE = start(7);

        static int start(int n) {
            int doubled = n * 2;
            return doubled;
        }
    }

    static class Failure extends RuntimeException {
        Failure(String message) {
            super(message);
        }
    }

    private final Object guard = new Object();
    private int calls;

    static String all(boolean z, byte b, char c, short s, int i, long j, float f, double d, String text) {
        Integer boxed = 42;
        int[] ints = {1, 2, 3};
        long[][] longs = {{1L}, {2L, 3L}};
        Object[] many = new Object[100];
        many[0] = text;
        Point point = new Point(i, j, new Point(1, 2, null));
        point.next.next = point;
        List<String> list = new ArrayList<>(List.of("a", "b"));
        Colour colour = Colour.GREEN;
        Object nothing = null;
        char control = '\n';
        String result = text + i + (d + f);
        int later;
        if (z) {
            later = 5;
        } else {
            later = 6;
        }
        return result + later;
    }

    static int inner(int k) {
        int sum = 0;
        for (int n = 0; n < k; n++) {
            sum += n * n;
        }
        return sum;
    }

    static int outer(int k) {
        return 100 + inner(k) * inner(k + 1);
    }

    static int lambda(int base) {
        IntUnaryOperator f = n -> {
            int more = n + base;
            return more;
        };
        return f.applyAsInt(3);
    }

    synchronized int locked(int n) {
        synchronized (guard) {
            calls += n;
        }
        return calls;
    }

    static String caught(int n) {
        try {
            if (n > 0) {
                throw new Failure("n is " + n);
            }
            return "none";
        } catch (Failure e) {
            String message = e.getMessage();
            return message;
        }
    }

    static int compared() {
        List<String> words = new ArrayList<>(List.of("pear", "fig", "apple"));
        words.sort((a, b) -> {
            int byLength = a.length() - b.length();
            return byLength;
        });
        return words.size();
    }

    static int reflected() throws Exception {
        Object result = Values.class.getDeclaredMethod("inner", int.class).invoke(null, 4);
        return (Integer) result;
    }

    static int deep(int n) {
        if (n == 0) {
            return 1;
        }
        return 1 + deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(all(true, (byte) -1, 'c', (short) -2, 3, 4L, 1.5f, 2.25, "text"));
        System.out.println(outer(5));
        System.out.println(lambda(10));
        System.out.println(new Values().locked(2));
        System.out.println(caught(1));
        System.out.println(Late.VALUE);
        System.out.println(compared());
        System.out.println(reflected());
        System.out.println(deep(200));
        Map<String, Integer> map = new HashMap<>();
        for (String s : new String[] {"x", "y", "x"}) {
            map.merge(s, 1, Integer::sum);
        }
        System.out.println(map);
    }
}
