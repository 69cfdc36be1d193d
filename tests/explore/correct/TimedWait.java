import java.util.*;

/** Waiting in a monitor for a time, again and again. */
public class TimedWait {
    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        boolean[] done = new boolean[1];
        Thread t = Check.start(() -> {
            synchronized (monitor) {
                done[0] = true;
            }
        });
        synchronized (monitor) {
            while (!done[0]) {
                monitor.wait(1);
            }
        }
        Check.join(t);
    }
}
