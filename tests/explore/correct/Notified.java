import java.util.*;

/** One is notified for each thing that is there. */
public class Notified {
    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        int[] things = new int[1];
        Check.Body take = () -> {
            synchronized (monitor) {
                while (things[0] == 0) {
                    monitor.wait();
                }
                things[0]--;
            }
        };
        Thread a = Check.start(take), b = Check.start(take);
        for (int i = 0; i < 2; i++) {
            synchronized (monitor) {
                things[0]++;
                monitor.notify();
            }
        }
        Check.join(a, b);
        Check.that(things[0] == 0, things[0]);
    }
}
