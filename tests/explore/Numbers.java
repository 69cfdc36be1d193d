import java.util.Random;

/** Fails with one random number of four. */
public class Numbers {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            int n = new Random().nextInt(4);
            if (n == Integer.parseInt(args[0])) {
                throw new IllegalStateException("number " + n);
            }
        });
        t.start();
        t.join();
    }
}
