/** Waits for what never comes, without ever waiting. */
public class Spin {
    static volatile boolean stop;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { while (!stop) Thread.onSpinWait(); });
        t.start();
        t.join();
    }
}
