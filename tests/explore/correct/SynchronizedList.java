import java.util.*;
import java.util.concurrent.*;

/** A list with a monitor around it. */
public class SynchronizedList {
    public static void main(String[] args) throws Exception {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Thread a = Check.start(() -> list.add(1)), b = Check.start(() -> list.add(2));
        Check.join(a, b);
        synchronized (list) {
            int sum = 0;
            for (int n : list) {
                sum += n;
            }
            Check.that(sum == 3, list);
        }
    }
}
