import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The most frequent words of a text and its anagrams. */
public class WordCount {
    public static void main(String[] args) throws IOException {
        List<String> words = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            split(line, words);
        }
        System.out.println(words.size() + " words");
        count(words).entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(5)
                .forEach(e -> System.out.printf("%5d %s%n", e.getValue(), e.getKey()));
        System.out.println("anagrams: " + anagrams(words));
    }

    static void split(String line, List<String> words) {
        int start = -1;
        for (int i = 0; i <= line.length(); i++) {
            boolean letter = i < line.length() && Character.isLetter(line.charAt(i));
            if (letter && start < 0) {
                start = i;
            } else if (!letter && start >= 0) {
                words.add(line.substring(start, i).toLowerCase());
                start = -1;
            }
        }
    }

    static Map<String, Integer> count(List<String> words) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : words) {
            counts.merge(word, 1, Integer::sum);
        }
        return counts;
    }

    static List<List<String>> anagrams(List<String> words) {
        Map<String, List<String>> groups = words.stream()
                .distinct()
                .collect(Collectors.groupingBy(WordCount::signature));
        return groups.values().stream()
                .filter(group -> group.size() > 1)
                .sorted(Comparator.comparing(group -> group.get(0)))
                .toList();
    }

    static String signature(String word) {
        char[] letters = word.toCharArray();
        sort(letters);
        return new String(letters);
    }

    /** Insertion sort: quadratic, which the profile tells. */
    static void sort(char[] letters) {
        for (int i = 1; i < letters.length; i++) {
            char letter = letters[i];
            int j = i;
            while (j > 0 && letters[j - 1] > letter) {
                letters[j] = letters[j - 1];
                j--;
            }
            letters[j] = letter;
        }
    }
}
