import java.util.*;
import java.util.concurrent.*;

/** Two wait for a latch that a third one counts down. */
public class LatchOfTwo {
    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = Check.start(latch::await), u = Check.start(latch::countDown);
        latch.await();
        Check.join(t, u);
    }
}
