import java.util.*;
import java.util.concurrent.*;

/** Tasks of a timer. */
public class Timers {
    public static void main(String[] args) throws Exception {
        Timer timer = new Timer();
        CountDownLatch latch = new CountDownLatch(2);
        TimerTask task = new TimerTask() {
            @Override
            public void run() {
                latch.countDown();
            }
        };
        timer.schedule(task, 1, 1);
        latch.await();
        task.cancel();
        timer.cancel();
    }
}
