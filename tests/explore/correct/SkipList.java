import java.util.*;
import java.util.concurrent.*;

/** A sorted map. */
public class SkipList {
    public static void main(String[] args) throws Exception {
        ConcurrentSkipListMap<Integer, String> map = new ConcurrentSkipListMap<>();
        Thread t = Check.start(() -> {
            map.put(1, "a");
            map.put(3, "c");
            map.remove(1);
        });
        map.put(2, "b");
        Check.join(t);
        Check.that(map.toString().equals("{2=b, 3=c}"), map);
    }
}
