import java.util.*;
import java.util.concurrent.*;

/** A map that is put into while it grows. */
public class MapGrows {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(1);
        Thread t = Check.start(() -> {
            for (int i = 0; i < 8; i++) {
                map.put(i, i);
            }
        });
        for (int i = 8; i < 16; i++) {
            map.put(i, i);
        }
        Check.join(t);
        Check.that(map.size() == 16, map);
    }
}
