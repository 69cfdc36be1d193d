import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Double-checked locking with volatile, final fields, a pool, a map and a latch: right under the memory model. */
public class SafeDcl {
    static class Settings {
        int size = 42;
    }

    static class Final {
        final int[] numbers;

        Final() {
            numbers = new int[] {1, 2};
        }
    }

    static volatile Settings settings;
    static Final published;

    static Settings get() {
        Settings found = settings;
        if (found == null) {
            synchronized (SafeDcl.class) {
                found = settings;
                if (found == null) {
                    settings = found = new Settings();
                }
            }
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
        CountDownLatch all = new CountDownLatch(2);
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> sizes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            sizes.add(pool.submit(() -> {
                counts.merge("used", 1, Integer::sum);
                published = new Final();
                all.countDown();
                return get().size;
            }));
        }
        Final found = published;
        if (found != null && found.numbers[1] != 2) {
            throw new IllegalStateException("a final field is not there");
        }
        all.await();
        for (Future<Integer> size : sizes) {
            if (size.get() != 42) {
                throw new IllegalStateException("size is " + size.get());
            }
        }
        pool.shutdown();
        if (counts.get("used") != 2 || published.numbers[0] != 1) {
            throw new IllegalStateException("counted " + counts);
        }
    }
}
