import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A result is expected within a time that is usually long enough. */
public class TimeoutRace {
    public static void main(String[] args) throws Exception {
        ArrayBlockingQueue<String> results = new ArrayBlockingQueue<>(1);
        Thread worker = new Thread(() -> results.offer("done"), "worker");
        worker.start();
        String result = results.poll(10, TimeUnit.SECONDS);
        if (!result.equals("done")) throw new IllegalStateException(result);
        worker.join();
    }
}
