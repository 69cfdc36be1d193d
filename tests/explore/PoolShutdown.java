import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A task is handed to a pool that somebody else shuts down. */
public class PoolShutdown {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Thread closer = new Thread(pool::shutdown, "closer");
        closer.start();
        pool.execute(() -> { });
        closer.join();
    }
}
