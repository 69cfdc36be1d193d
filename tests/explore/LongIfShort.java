/** It fails at once if the other thread comes between; with no switch to it, it computes for minutes. */
public class LongIfShort {
    static volatile boolean came;
    static long sum;

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> came = true);
        other.start();
        for (int i = 0; i < 20; i++) {
            Thread.yield();
            if (came) throw new IllegalStateException("it came between");
        }
        for (long i = 0; i < 100_000_000_000L; i++) sum += i;
        other.join();
    }
}
