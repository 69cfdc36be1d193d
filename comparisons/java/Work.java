package work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Ten small benchmarks that do -Dmore=N per cent more. */
public class Work {
    static final int MORE = Integer.getInteger("more", 0);
    static final Pattern WORDS = Pattern.compile("(\\w+)-(\\d+)");

    public static int n(int base) {
        return base * (100 + MORE) / 100;
    }

    public static int loop() {
        int x = 1;
        for (int i = 0, n = n(10_000); i < n; i++) x = x * 31 + (i ^ x >>> 3);
        return x;
    }

    public static int array() {
        int[] a = new int[256];
        for (int i = 0, n = n(8_000); i < n; i++) a[i & 255] += i;
        return a[17];
    }

    public static int objects() {
        ArrayList<Integer> list = new ArrayList<>();
        for (int i = 0, n = n(2_000); i < n; i++) list.add(i * 7919);
        return list.hashCode();
    }

    public static int text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0, n = n(1_000); i < n; i++) text.append(i).append(',');
        return text.toString().hashCode();
    }

    public static int hash() {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0, n = n(1_500); i < n; i++) map.merge(i * 31 & 511, 1, Integer::sum);
        return map.size();
    }

    public static int tree() {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (int i = 0, n = n(1_000); i < n; i++) map.put(i * 7919 % 1009, i);
        return map.firstKey();
    }

    public static int sort() {
        int sum = 0;
        for (int i = 0, n = n(100); i < n; i++) {
            int[] a = new int[64];
            for (int j = 0; j < a.length; j++) a[j] = j * 7919 % 101 + i;
            Arrays.sort(a);
            sum += a[3];
        }
        return sum;
    }

    public static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    public static int recursion() {
        int sum = 0;
        for (int i = 0, n = n(100); i < n; i++) sum += fib(9 + (i & 1));
        return sum;
    }

    public static int exceptions() {
        int caught = 0;
        for (int i = 0, n = n(100); i < n; i++) {
            try {
                Integer.parseInt(i % 2 == 0 ? "x" + i : "" + i);
            } catch (NumberFormatException e) {
                caught++;
            }
        }
        return caught;
    }

    public static int regex() {
        int sum = 0;
        for (int i = 0, n = n(200); i < n; i++) {
            var matcher = WORDS.matcher("ab-" + i + " cd-" + i * 3);
            while (matcher.find()) sum += matcher.group(2).length();
        }
        return sum;
    }
}
