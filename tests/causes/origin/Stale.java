import java.util.HashMap;
import java.util.Map;

/** A cache keeps a price that has changed since. */
public class Stale {
    static final Map<String, Integer> PRICES = new HashMap<>();
    static final Map<String, Integer> CACHE = new HashMap<>();

    static int price(String name) {
        Integer known = CACHE.get(name);
        if (known == null) {
            known = PRICES.get(name);
            CACHE.put(name, known);
        }
        return known;
    }

    static void change(String name, int price) {
        PRICES.put(name, price);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 50; i++) {
            change("item" + i, 1000 + i);
        }
        int before = price("item7");
        change("item7", 2000);
        int after = price("item7");
        if (after != 2000) {
            throw new IllegalStateException(before + " and " + after);
        }
    }
}
