import java.util.*;
import java.util.concurrent.*;

/** A latch that three count down. */
public class LatchOfMany {
    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(3);
        int[] seen = new int[3];
        for (int i = 0; i < 3; i++) {
            int own = i;
            Check.start(() -> {
                seen[own] = 1;
                latch.countDown();
            });
        }
        latch.await();
        Check.that(seen[0] + seen[1] + seen[2] == 3, Arrays.toString(seen));
    }
}
