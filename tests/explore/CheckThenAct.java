import java.util.concurrent.ConcurrentHashMap;

/** A map that is safe by itself, looked at and then changed. */
public class CheckThenAct {
    static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    static void count(String key) {
        Integer old = map.get(key);
        map.put(key, old == null ? 1 : old + 1);
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> count("x"), "a"), b = new Thread(() -> count("x"), "b");
        a.start();
        b.start();
        a.join();
        b.join();
        if (map.get("x") != 2) throw new IllegalStateException("x is " + map.get("x"));
    }
}
