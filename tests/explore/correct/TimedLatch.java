import java.util.*;
import java.util.concurrent.*;

/** Waiting for a latch ends by its time, or by the latch. */
public class TimedLatch {
    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = Check.start(() -> latch.await(1, TimeUnit.SECONDS)), u = Check.start(latch::countDown);
        if (latch.await(1, TimeUnit.MICROSECONDS)) {
            Check.that(latch.getCount() == 0, latch);
        }
        Check.join(t, u);
    }
}
