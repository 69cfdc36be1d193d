import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A lock with tickets; who waits counts its looks. */
public class TicketLock {
    public static void main(String[] args) throws Exception {
        AtomicInteger next = new AtomicInteger(), now = new AtomicInteger();
        int[] n = new int[1];
        Check.Body body = () -> {
            AtomicInteger looks = new AtomicInteger();
            int mine = next.getAndIncrement();
            while (now.get() != mine) {
                looks.incrementAndGet();
            }
            n[0]++;
            now.set(mine + 1);
        };
        Check.join(Check.start(body), Check.start(body), Check.start(body));
        Check.that(n[0] == 3, n[0]);
    }
}
