import java.util.HashMap;
import java.util.Map;
import rjvm.test.Bench;

/** What it counts depends on identity hashes. */
public class Hashes {
    @Bench
    int hash() {
        Map<Object, Integer> map = new HashMap<>();
        Object[] keys = new Object[200];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = new Object();
            map.put(keys[i], i);
        }
        int sum = 0;
        for (Object key : map.keySet()) {
            sum = sum * 31 + map.get(key);
        }
        return sum;
    }
}
