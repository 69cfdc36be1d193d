/** Two variables that three threads write in the same order: who reads them in that order may find the first only. */
public class Reordered {
    static volatile boolean first;
    static volatile boolean second;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                first = true;
                second = true;
            }).start();
        }
        Thread reads = new Thread(() -> {
            if (first && !second) {
                throw new IllegalStateException("half");
            }
        });
        reads.start();
    }
}
