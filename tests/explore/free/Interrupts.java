/** What is written before an interrupt, and read by the thread that notices it. */
public class Interrupts {

    static int reason;

    public static void main(String[] args) throws Exception {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(1_000_000_000_000L);
            } catch (InterruptedException e) {
                if (reason != 6) throw new AssertionError(reason);
            }
        });
        sleeper.start();
        reason = 6;
        sleeper.interrupt();
        sleeper.join();
    }
}
