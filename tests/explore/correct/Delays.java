import java.util.concurrent.*;

/** What is delayed comes when its time is over. */
public class Delays {
    static class Late implements Delayed {
        final long at;

        Late(long at) {
            this.at = at;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(at, ((Late) other).at);
        }
    }

    public static void main(String[] args) throws Exception {
        DelayQueue<Late> queue = new DelayQueue<>();
        Thread t = Check.start(() -> queue.put(new Late(System.nanoTime() + 1000)));
        Check.that(queue.take().getDelay(TimeUnit.NANOSECONDS) <= 0, queue);
        Check.join(t);
    }
}
