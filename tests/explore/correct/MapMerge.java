import java.util.*;
import java.util.concurrent.*;

/** Counts in a map. */
public class MapMerge {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        Check.Body body = () -> {
            map.merge("a", 1, Integer::sum);
            map.compute("b", (k, v) -> v == null ? 1 : v + 1);
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(map.equals(Map.of("a", 2, "b", 2)), map);
    }
}
