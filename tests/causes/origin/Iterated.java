import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A list changes while it is iterated: deep inside a call. */
public class Iterated {
    final List<Integer> open = new ArrayList<>();

    void close(int number) {
        if (number % 7 == 6) {
            forget(number - 3);
        }
    }

    void forget(int number) {
        open.remove(Integer.valueOf(number));
    }

    public static void main(String[] args) {
        Iterated all = new Iterated();
        for (int i = 0; i < 20; i++) {
            all.open.add(i);
        }
        Iterator<Integer> each = all.open.iterator();
        while (each.hasNext()) {
            all.close(each.next());
        }
    }
}
