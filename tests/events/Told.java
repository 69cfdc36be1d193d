import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the tests of events run: each method returns a number that depends on everything it did. */
public class Told {
    /** Objects that live short, longer and long, large ones among them. */
    public static int garbage() {
        return garbage(20_000);
    }

    /** The same, with fewer. */
    public static int few() {
        return garbage(1_000);
    }

    private static int garbage(int n) {
        Map<Integer, Object> kept = new HashMap<>();
        int h = 0;
        for (int i = 0; i < n; i++) {
            List<Object> list = new ArrayList<>();
            for (int j = 0; j < i % 7; j++) list.add(new int[j + i % 50]);
            kept.put(i % 500, list);
            if (i % 1000 == 0) kept.put(-1 - i % 3000, new long[50_000]);
            h = h * 31 + list.size() + kept.size();
        }
        return h;
    }
}
