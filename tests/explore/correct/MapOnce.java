import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A value of a map is made once. */
public class MapOnce {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();
        AtomicInteger made = new AtomicInteger();
        Object[] got = new Object[2];
        Check.Body[] bodies = new Check.Body[2];
        for (int i = 0; i < 2; i++) {
            int own = i;
            bodies[i] = () -> got[own] = map.computeIfAbsent("k", k -> made.incrementAndGet());
        }
        Check.join(Check.start(bodies[0]), Check.start(bodies[1]));
        Check.that(made.get() == 1 && got[0] == got[1], made);
    }
}
