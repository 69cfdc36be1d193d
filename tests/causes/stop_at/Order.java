import java.util.HashMap;
import java.util.Map;

/** Walks a map whose order depends on identity hash codes. */
public class Order {
    static class Key {
        final int n;

        Key(int n) {
            this.n = n;
        }
    }

    static int walk(Map<Key, Integer> map) {
        int result = 0;
        for (Map.Entry<Key, Integer> e : map.entrySet()) {
            if (e.getKey().n % 3 == 0) {
                result = result * 7 + e.getValue();
            } else {
                result += e.getValue();
            }
        }
        return result;
    }

    public static void main(String[] args) {
        Map<Key, Integer> map = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            map.put(new Key(i), i * i);
        }
        System.out.println(walk(map));
    }
}
