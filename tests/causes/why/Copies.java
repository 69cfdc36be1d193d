import java.util.ArrayList;
import java.util.List;

/** Planted: a list is a queue, and all of it moves each time. */
public class Copies {
    static long drain(List<Integer> queue) {
        long sum = 0;
        while (!queue.isEmpty()) {
            sum = sum * 31 + queue.remove(0); // planted
        }
        return sum;
    }

    public static void main(String[] args) {
        Integer[] some = {3, 1, 4, 1, 5};
        List<Integer> queue = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            queue.add(some[i % 5]);
        }
        System.out.println(drain(queue));
    }
}
