/** Waits without looking whether what it waits for has already happened. */
public class MissedNotify {
    static final Object lock = new Object();

    public static void main(String[] args) throws Exception {
        Thread signaller = new Thread(() -> {
            synchronized (lock) {
                lock.notify();
            }
        }, "signaller");
        signaller.start();
        synchronized (lock) {
            lock.wait();
        }
    }
}
