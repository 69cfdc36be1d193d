import java.util.ArrayList;
import java.util.List;

/** OutOfMemoryError: thrown when the heap is full, catchable, and the program goes on afterwards. */
public class OutOfMemory {
    static List<Object> hold = new ArrayList<>();

    static String fill(int size) {
        try {
            while (true) hold.add(new byte[size]);
        } catch (OutOfMemoryError e) {
            boolean some = hold.size() > 0;
            hold.clear();
            return e.getMessage() + " " + some;
        }
    }

    static Object chain() {
        Object[] last = null;
        int n = 0;
        try {
            for (; ; n++) last = new Object[] {last, null, null, null};
        } catch (OutOfMemoryError e) {
            last = null;
            return n > 10000;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) System.out.println(fill(1 << 20));
        System.out.println(fill(100_000));
        System.out.println(chain());
        try {
            System.out.println(new long[Integer.MAX_VALUE].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new byte[400 << 20].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new int[1000][1000][1000].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            StringBuilder s = new StringBuilder("x");
            while (true) s.append(s);
        } catch (OutOfMemoryError e) {
            System.out.println("string builder " + (e.getMessage() != null));
        }
        String[] other = new String[1];
        Thread t = new Thread(() -> other[0] = fill(1 << 20));
        t.start();
        t.join();
        System.out.println(other[0]);
        long total = 0;
        for (int i = 0; i < 200; i++) total += new byte[1 << 20].length;
        System.out.println(total);
    }
}
