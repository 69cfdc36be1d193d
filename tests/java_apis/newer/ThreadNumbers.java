import java.util.concurrent.Executors;

/** Since 21: threads have the numbers that they have on HotSpot with its default settings. */
public class ThreadNumbers {
    public static void main(String[] args) throws Exception {
        System.out.println(Thread.currentThread());
        System.out.println(new Thread(() -> {}));
        Thread.ofVirtual().start(() -> System.out.println(Thread.currentThread())).join();
        try (var pool = Executors.newFixedThreadPool(2)) {
            pool.submit(() -> System.out.println(Thread.currentThread())).get();
            pool.submit(() -> System.out.println(Thread.currentThread())).get();
        }
        for (Thread thread : new Thread[] {new Thread(), Thread.ofVirtual().unstarted(() -> {})}) {
            System.out.println(thread.threadId());
        }
    }
}
