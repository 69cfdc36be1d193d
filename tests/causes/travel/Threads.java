/** Two threads that take turns. */
public class Threads {
    static int shared;

    static synchronized void add(int n) {
        for (int i = 0; i < n; i++) {
            shared += i % 7;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] all = new Thread[2];
        for (int i = 0; i < all.length; i++) {
            int n = 20_000 * (i + 1);
            all[i] = new Thread(() -> add(n), "adds-" + i);
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
        System.out.println("shared " + shared);
    }
}
