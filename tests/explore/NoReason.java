/** Takes it that who goes on after a wait has been notified. */
public class NoReason {
    static boolean done;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                done = true;
                monitor.notify();
            }
        });
        synchronized (monitor) {
            t.start();
            monitor.wait();
            if (!done) {
                throw new IllegalStateException("not done");
            }
        }
    }
}
