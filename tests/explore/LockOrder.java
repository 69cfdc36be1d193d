/** Two locks are taken in two orders. */
public class LockOrder {
    static final Object first = new Object(), second = new Object();

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            synchronized (second) {
                synchronized (first) { }
            }
        }, "other");
        other.start();
        synchronized (first) {
            synchronized (second) { }
        }
        other.join();
    }
}
