import java.util.ArrayList;
import java.util.List;

/** Planted: numbers are summed up in boxes. */
public class Boxes {
    public static void main(String[] args) {
        List<Long> weights = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            weights.add((long) i * 31);
        }
        Long sum = 0L;
        for (int round = 0; round < 20; round++) {
            sum = total(weights, sum);
        }
        System.out.println(sum);
    }

    static Long total(List<Long> weights, Long sum) {
        for (int i = 0; i < weights.size(); i++) {
            sum += weights.get(i); // planted
        }
        return sum;
    }
}
