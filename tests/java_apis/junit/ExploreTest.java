import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rjvm.test.Explore;

/** Tests that run under many schedules. */
class ExploreTest {
    static int runs;
    int plain, before;
    final AtomicInteger atomic = new AtomicInteger();

    @BeforeEach
    void count() {
        before++;
    }

    @Explore(iterations = 200)
    @Test
    void lostUpdate() throws Exception {
        System.out.println("schedules print nothing");
        Work.twice(() -> plain++);
        assertEquals(2, plain);
    }

    @Explore(iterations = 50, strategy = "pct:3")
    @Test
    void counts() throws Exception {
        runs++;
        Work.twice(atomic::incrementAndGet);
        assertEquals(2, atomic.get());
        assertEquals(1, before);
    }

    /** A pool whose thread waits when the test is over. */
    @Explore(iterations = 20)
    @Test
    void pooled() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> two = pool.submit(() -> 2);
        assertEquals(2, two.get());
    }

    @Explore(iterations = 100)
    @Test
    void deadlock() throws Exception {
        Object first = new Object(), second = new Object();
        Thread other = new Thread(() -> {
            synchronized (second) {
                synchronized (first) { }
            }
        }, "other");
        other.start();
        synchronized (first) {
            synchronized (second) { }
        }
        other.join();
    }

    @Explore(iterations = 100)
    @Test
    void inAnotherThread() throws Exception {
        Work.twice(() -> {
            if (++plain != plain) throw new IllegalStateException("overtaken");
        });
    }

    @Explore
    @Test
    void alone() {
        assertEquals(1, before);
    }

    @Explore(iterations = 5)
    @Test
    void assumes() throws Exception {
        Work.twice(() -> { });
        assumeTrue(false);
    }

    @Explore(strategy = "best")
    @Test
    void wrongStrategy() { }

    /** What schedules have done is gone. */
    @Test
    void untouched() {
        assertEquals(0, runs);
    }
}
