import java.util.HashMap;
import java.util.Map;

/** Planted: the keys of a map have a hash code that is the same for many of them. */
public class Hashes {
    static final class Key {
        final int x;
        final int y;

        Key(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public int hashCode() { // planted
            return x + y & 7;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).x == x && ((Key) other).y == y;
        }
    }

    public static void main(String[] args) {
        Map<Key, Integer> cells = new HashMap<>();
        for (int x = 0; x < 20; x++) {
            for (int y = 0; y < 20; y++) {
                cells.put(new Key(x, y), x * y);
            }
        }
        long sum = 0;
        for (int round = 0; round < 10; round++) {
            for (int x = 0; x < 20; x++) {
                for (int y = 0; y < 20; y++) {
                    sum += cells.get(new Key(x, y));
                }
            }
        }
        System.out.println(sum);
    }
}
