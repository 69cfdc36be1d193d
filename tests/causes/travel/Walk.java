import java.util.ArrayList;
import java.util.List;

/** Lines, calls, fields, exceptions: what a session walks through. */
public class Walk {
    static int total;
    int own;
    List<String> names = new ArrayList<>();
    int[] squares = new int[5];

    Walk(int own) {
        this.own = own;
    }

    int square(int n) {
        int result = n * n;
        squares[n] = result;
        return result;
    }

    void add(int n) {
        int more = square(n);
        total += more;
        names.add("n" + n);
    }

    static void fail(int n) {
        if (n > 2) {
            throw new IllegalStateException("n is " + n);
        }
    }

    public static void main(String[] args) {
        Walk walk = new Walk(7);
        for (int i = 0; i < 5; i++) {
            walk.add(i);
        }
        System.out.println("total " + total);
        try {
            fail(1);
            fail(3);
        } catch (IllegalStateException e) {
            System.out.println("caught " + e.getMessage());
        }
        System.out.println("names " + walk.names);
    }
}
