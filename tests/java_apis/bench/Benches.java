import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rjvm.test.Bench;

public class Benches implements AutoCloseable {
    private final List<String> names = new ArrayList<>();

    Benches() {
        // not counted
        for (int i = 0; i < 200; i++) {
            names.add("x" + (i * 7919 % 200));
        }
    }

    @Override
    public void close() {
        System.err.println("closed");
    }

    /** Does one part in a hundred more with -Dmore=2 than with -Dmore=1. */
    static int part(int n) {
        int sum = 0;
        for (int i = n + Integer.getInteger("more", 1); i > 0; i--) {
            sum += i;
        }
        return sum;
    }

    static int both(int n) {
        return part(100) + other(n);
    }

    static int other(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum ^= i;
        }
        return sum;
    }

    @Bench
    static int planted() {
        return both(1000);
    }

    @Bench(args = {"10", "1000"}, limits = "<=10_000")
    static int sized(int n) {
        return other(n);
    }

    @Bench(name = "sorting names")
    void sort() {
        Collections.sort(new ArrayList<>(names));
    }

    @Bench(warmups = 0)
    void map() {
        Map<String, Integer> map = new HashMap<>();
        for (String name : names) {
            map.merge(name, 1, Integer::sum);
        }
    }

    static void named() {
        other(5);
    }

    static void fails() {
        throw new IllegalStateException("on purpose");
    }

    public static void main(String[] args) {
        System.out.println(both(Integer.parseInt(args[0])));
    }
}
