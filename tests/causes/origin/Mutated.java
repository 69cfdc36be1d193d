import java.util.HashMap;
import java.util.Map;

/** A key of a map changes while it is in it, and is not found any more. */
public class Mutated {
    static class Key {
        int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.number == number;
        }
    }

    static void renumber(Key key, int by) {
        key.number += by;
    }

    public static void main(String[] args) {
        Map<Key, String> names = new HashMap<>();
        Key[] keys = new Key[5];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = new Key(i);
            names.put(keys[i], "name" + i);
        }
        renumber(keys[3], 64);
        String name = names.get(new Key(3));
        if (name == null) {
            throw new IllegalStateException("no name of 3 among " + names.size());
        }
    }
}
