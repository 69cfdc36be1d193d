/** A loop waits for a field that is not volatile: it need never see it change. */
public class MissingVolatile {
    static boolean stop;
    static int rounds;

    public static void main(String[] args) {
        new Thread(() -> {
            while (!stop) {
                rounds++;
            }
        }, "looper").start();
        stop = true;
    }
}
