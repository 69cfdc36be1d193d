/** One thread enters a monitor twice, by two places of the code; only between the two can the other one do harm. */
public class TwoDoors {
    static final Object MONITOR = new Object();
    static boolean closing;
    static boolean closed;
    static int inside = 1;

    static boolean enters() {
        if (closing) {
            return false;
        }
        synchronized (MONITOR) {
            inside++;
        }
        return true;
    }

    static boolean leaves() {
        synchronized (MONITOR) {
            return --inside == 0;
        }
    }

    public static void main(String[] args) {
        new Thread(() -> {
            closing = true;
            closed = leaves();
        }).start();
        if (enters() && closed) {
            throw new IllegalStateException("closed");
        }
        leaves();
    }
}
