import java.util.*;
import java.util.concurrent.*;

/** Who polls a queue without locks finds all that is put in. */
public class Polling {
    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        Thread t = Check.start(() -> {
            queue.add(1);
            queue.add(2);
        });
        int sum = 0;
        while (sum < 3) {
            Integer next = queue.poll();
            sum += next == null ? 0 : next;
        }
        Check.join(t);
        Check.that(queue.isEmpty(), queue);
    }
}
