/** Planted: four threads do all their work while they have the one lock. */
public class Convoy {
    static final Object LOCK = new Object();
    static long shared;

    static void work(int n) {
        synchronized (LOCK) { // planted
            for (int i = 0; i < 20_000; i++) {
                shared += i ^ n;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 50; i++) {
                    work(i);
                }
            }, "worker-" + t);
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(shared);
    }
}
