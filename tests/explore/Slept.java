/** Two threads have slept, each, before they add to what is no atomic variable. */
public class Slept {
    static int n;

    public static void main(String[] args) throws Exception {
        Runnable adds = () -> {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            n++;
        };
        Thread a = new Thread(adds), b = new Thread(adds);
        a.start();
        b.start();
        a.join();
        b.join();
        if (n != 2) {
            throw new IllegalStateException("n is " + n);
        }
    }
}
