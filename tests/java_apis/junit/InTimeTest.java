import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import rjvm.test.Explore;

/** JUnit watches the time in a thread of its own. */
class InTimeTest {
    final AtomicInteger atomic = new AtomicInteger();

    /** The time is not over while others can go on. */
    @Explore(iterations = 20)
    @Timeout(5)
    @Test
    void inTime() throws Exception {
        Work.twice(atomic::incrementAndGet);
        assertEquals(2, atomic.get());
    }

    @Explore(iterations = 20, timeouts = "never")
    @Test
    void wrongWord() { }
}
