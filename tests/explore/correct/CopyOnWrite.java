import java.util.*;
import java.util.concurrent.*;

/** A list that is copied when it is written to. */
public class CopyOnWrite {
    public static void main(String[] args) throws Exception {
        List<Integer> list = new CopyOnWriteArrayList<>(List.of(1));
        Thread t = Check.start(() -> {
            list.add(2);
            list.add(3);
        });
        int sum = 0;
        for (int n : list) {
            sum += n;
        }
        Check.that(sum == 1 || sum == 3 || sum == 6, sum);
        Check.join(t);
        Check.that(list.size() == 3, list);
    }
}
