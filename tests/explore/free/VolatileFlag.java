/** Plain data, published by a volatile flag. */
public class VolatileFlag {

    static int[] data;
    static int size;
    static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            data = new int[] {1, 2, 3};
            size = 3;
            ready = true;
        });
        int[] sum = new int[1];
        Thread reader = new Thread(() -> {
            if (!ready) return;
            for (int i = 0; i < size; i++) sum[0] += data[i];
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        if (sum[0] != 0 && sum[0] != 6) throw new AssertionError(sum[0]);
    }
}
