/** What a class initializer has written, by whichever thread. */
public class Initializing {

    static final class Table {
        static int[] cells;
        static int size;

        static {
            cells = new int[] {3, 4};
            size = cells.length;
        }

        static int sum() {
            int sum = 0;
            for (int i = 0; i < size; i++) sum += cells[i];
            return sum;
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable sums = () -> {
            if (Table.sum() != 7) throw new AssertionError();
        };
        Thread a = new Thread(sums), b = new Thread(sums);
        a.start();
        b.start();
        sums.run();
        a.join();
        b.join();
    }
}
