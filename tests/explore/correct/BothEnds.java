import java.util.*;
import java.util.concurrent.*;

/** A deque without locks, taken from at both ends. */
public class BothEnds {
    public static void main(String[] args) throws Exception {
        ConcurrentLinkedDeque<Integer> deque = new ConcurrentLinkedDeque<>(Arrays.asList(1, 2, 3));
        int[] sum = new int[2];
        Thread a = Check.start(() -> sum[0] = deque.pollFirst());
        Thread b = Check.start(() -> sum[1] = deque.pollLast());
        Check.join(a, b);
        Check.that(sum[0] + sum[1] + deque.poll() == 6 && deque.isEmpty(), sum[0]);
    }
}
