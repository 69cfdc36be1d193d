import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Mutable messages through blocking and concurrent queues. */
public class Queues {

    static final class Message {
        int value;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Message> there = new ArrayBlockingQueue<>(1), back = new LinkedBlockingQueue<>();
        ConcurrentLinkedQueue<int[]> log = new ConcurrentLinkedQueue<>();
        Thread worker = new Thread(() -> {
            try {
                for (int i = 0; i < 2; i++) {
                    Message m = there.take();
                    m.value *= 10;
                    log.add(new int[] {m.value});
                    back.put(m);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        worker.start();
        int sum = 0;
        Message m = new Message();
        for (int i = 1; i < 3; i++) {
            m.value = i;
            there.put(m);
            m = back.take();
            sum += m.value + log.poll()[0];
        }
        if (sum != 60) throw new AssertionError(sum);
        worker.join();
    }
}
