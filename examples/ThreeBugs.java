import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program with three bugs for a profiler to find: a search through a list inside a loop, a sum
 * that is boxed each time, and a pattern that is compiled for each line.
 */
public class ThreeBugs {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        List<String> lines = lines(n);
        System.out.println(distinct(lines).size());
        System.out.println(total(n));
        System.out.println(numbers(lines));
    }

    private static List<String> lines(int n) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            lines.add("item " + i + " of " + n);
        }
        return lines;
    }

    /** A set would do it in linear time. */
    private static List<String> distinct(List<String> lines) {
        List<String> seen = new ArrayList<>();
        for (String line : lines) {
            if (!contains(seen, line)) {
                seen.add(line);
            }
        }
        return seen;
    }

    private static boolean contains(List<String> all, String wanted) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Each addition unboxes and boxes. */
    private static Long total(int n) {
        Long sum = 0L;
        for (int i = 0; i < 100 * n; i++) {
            sum += i;
        }
        return sum;
    }

    /** The pattern is the same for all lines. */
    private static int numbers(List<String> lines) {
        Map<String, Integer> counts = new HashMap<>();
        for (String line : lines) {
            String[] words = line.split("[ ,;]+");
            for (String word : words) {
                counts.merge(word, 1, Integer::sum);
            }
        }
        return counts.size();
    }
}
