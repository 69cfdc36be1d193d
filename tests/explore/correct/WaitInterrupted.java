import java.util.*;

/** One of two that wait is interrupted, the other notified. */
public class WaitInterrupted {
    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        boolean[] done = new boolean[1];
        Check.Body body = () -> {
            synchronized (monitor) {
                try {
                    while (!done[0]) {
                        monitor.wait();
                    }
                } catch (InterruptedException e) {
                    // gives up
                }
            }
        };
        Thread a = Check.start(body), b = Check.start(body);
        a.interrupt();
        synchronized (monitor) {
            done[0] = true;
            monitor.notifyAll();
        }
        Check.join(a, b);
    }
}
