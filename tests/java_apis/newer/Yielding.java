import java.util.concurrent.SynchronousQueue;

/** Since 21. Virtual threads that always have something to do, by `Thread.yield` or by waking each other, leave platform threads their turns. */
public class Yielding {
    static volatile boolean over;
    static volatile long rounds;

    static long work(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i ^ (sum << 1);
        }
        return sum;
    }

    static void meanwhile(String name, Thread... busy) throws Exception {
        while (rounds == 0) {
            Thread.sleep(1);
        }
        System.out.println(name + ": " + work(2_000_000));
        Thread platform = Thread.ofPlatform().start(() -> System.out.println(name + ": another thread runs"));
        platform.join();
        over = true;
        for (Thread t : busy) {
            t.join();
        }
        over = false;
        rounds = 0;
    }

    public static void main(String[] args) throws Exception {
        meanwhile("yield", Thread.ofVirtual().start(() -> {
            while (!over) {
                rounds++;
                Thread.yield();
            }
        }));
        var there = new SynchronousQueue<Boolean>();
        var back = new SynchronousQueue<Boolean>();
        Thread server = Thread.ofVirtual().start(() -> {
            try {
                while (there.take()) {
                    back.put(true);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Thread client = Thread.ofVirtual().start(() -> {
            try {
                while (!over) {
                    there.put(true);
                    back.take();
                    rounds++;
                }
                there.put(false);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        meanwhile("hand over", server, client);
    }
}
