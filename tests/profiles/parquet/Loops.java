import java.util.ArrayList;
import java.util.List;

/** Work of a size, some of which only a later version of the program does: Loops SIZE. */
public class Loops {
    static final List<int[]> kept = new ArrayList<>();

    public static void main(String[] args) {
        int size = Integer.parseInt(args[0]);
        int sum = 0;
        for (int i = 0; i < 10 * size; i++) sum += work(i);
        if (size > 1) sum += added(size);
        for (int i = 0; i < 40; i++) kept.add(new int[100]);
        System.out.println(sum);
    }

    static int work(int n) {
        int sum = 0;
        for (int i = 0; i < 1000; i++) sum += i ^ n;
        return sum + new StringBuilder().append(n).length();
    }

    static int added(int n) {
        return work(n) + 1;
    }
}
