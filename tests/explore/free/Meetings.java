import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;

/** Plain objects change hands in an Exchanger; a Phaser separates rounds. */
public class Meetings {

    static final int[] cells = new int[2];

    public static void main(String[] args) throws Exception {
        Exchanger<int[]> exchanger = new Exchanger<>();
        Phaser phaser = new Phaser(2);
        Thread other = new Thread(() -> {
            try {
                int[] own = {2};
                int[] got = exchanger.exchange(own);
                got[0] += 10;
                cells[1] = got[0];
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            phaser.arriveAndAwaitAdvance();
            cells[0]++;
            phaser.arriveAndDeregister();
        });
        other.start();
        int[] own = {1};
        int[] got = exchanger.exchange(own);
        got[0] += 20;
        phaser.arriveAndAwaitAdvance();
        int sum = got[0] + cells[1];
        phaser.arriveAndAwaitAdvance();
        cells[0]++;
        other.join();
        if (sum != 33 || cells[0] != 2) throw new AssertionError(sum);
    }
}
