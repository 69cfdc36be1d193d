import java.util.concurrent.ConcurrentHashMap;

/** Mutable values that only ConcurrentHashMap's atomic methods touch, and others that it hands over. */
public class Maps {

    static final ConcurrentHashMap<String, int[]> map = new ConcurrentHashMap<>();

    static void count(String key) {
        map.compute(key, (k, v) -> {
            int[] counts = v == null ? new int[1] : v;
            counts[0]++;
            return counts;
        });
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            count("x");
            count("y");
            map.put("a", new int[] {5});
        });
        Thread b = new Thread(() -> {
            count("y");
            int[] found = map.get("a");
            if (found != null && found[0] != 5) throw new AssertionError(found[0]);
        });
        a.start();
        b.start();
        a.join();
        b.join();
        if (map.get("x")[0] != 1 || map.get("y")[0] != 2) throw new AssertionError();
    }
}
