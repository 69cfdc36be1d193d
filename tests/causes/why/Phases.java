import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A run of three parts: numbers are made, sorted, and counted. */
public class Phases {
    public static void main(String[] args) {
        int[] numbers = make(150_000);
        sort(numbers);
        System.out.println(count(numbers));
    }

    static int[] make(int n) {
        int[] numbers = new int[n];
        int seed = 42;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 8; j++) {
                seed = seed * 1103515245 + 12345;
            }
            numbers[i] = seed >>> 20;
        }
        return numbers;
    }

    static void sort(int[] numbers) {
        for (int gap = numbers.length / 2; gap > 0; gap /= 2) {
            for (int i = gap; i < numbers.length; i++) {
                int n = numbers[i];
                int j = i;
                for (; j >= gap && numbers[j - gap] > n; j -= gap) {
                    numbers[j] = numbers[j - gap];
                }
                numbers[j] = n;
            }
        }
    }

    static int count(int[] numbers) {
        Map<String, Integer> counts = new HashMap<>();
        for (int n : numbers) {
            counts.merge(String.valueOf(n), 1, Integer::sum);
        }
        return counts.size();
    }
}
