/** Plain variables under monitors: synchronized methods and blocks, entered twice. */
public class Monitors {

    static int sum;
    static final int[] cells = new int[2];

    static synchronized void add(int n) {
        sum += n;
        synchronized (cells) {
            cells[n & 1]++;
            again();
        }
    }

    static synchronized void again() {
        sum++;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> add(1)), b = new Thread(() -> add(2));
        a.start();
        b.start();
        synchronized (Monitors.class) {
            sum--;
        }
        a.join();
        b.join();
        if (sum != 4 || cells[0] + cells[1] != 2) throw new AssertionError(sum);
    }
}
