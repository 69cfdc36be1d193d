import java.util.*;

/** A thread that sleeps, waits or computes is interrupted. */
public class Interrupts {
    public static void main(String[] args) throws Exception {
        Thread t = Check.start(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.sleep(1000);
                }
            } catch (InterruptedException e) {
                // it is over
            }
        });
        t.interrupt();
        Check.join(t);
    }
}
