import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rjvm.test.AllocationBudget;
import rjvm.test.BytecodeBudget;
import rjvm.test.Deterministic;
import rjvm.test.Explore;
import rjvm.test.MaxCalls;
import rjvm.test.WarmUp;

class BudgetsTest {
    @Test
    @BytecodeBudget(max = 12_031)
    void kept() {
        Work.sum(1000);
    }

    @Test
    @BytecodeBudget(max = 8_000)
    void exceeded() {
        Work.sum(1000);
    }

    @Test
    @AllocationBudget(objects = 10, bytes = 300)
    void allocates() {
        Work.arrays(10);
    }

    @Test
    @MaxCalls(method = "Work::sum", n = 2)
    @MaxCalls(method = "java..", n = 0)
    void calls() {
        Work.sum(1);
        Work.sum(2);
        Work.sum(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    @BytecodeBudget(max = 5_000)
    void sized(int n) {
        Work.sum(n);
    }

    @Test
    @WarmUp
    @BytecodeBudget(max = 1_000)
    void linkedBefore() {
        assertEquals("x1", "x" + Work.sum(2));
    }

    @Test
    @BytecodeBudget(max = 1_000)
    void linkedNow() {
        assertEquals("x2y", "x" + (Work.sum(2) + 1) + "y");
    }

    @Test
    @BytecodeBudget(max = 1_000, loading = true)
    void linkingCounted() {
        assertEquals("1x2y", Work.sum(2) + "x" + (Work.sum(2) + 1) + "y");
    }

    @Test
    @BytecodeBudget(max = 5_000)
    void otherThread() throws InterruptedException {
        startAndJoin();
    }

    @Test
    @BytecodeBudget(max = 5_000, allThreads = true)
    void otherThreadCounted() throws InterruptedException {
        startAndJoin();
    }

    private static void startAndJoin() throws InterruptedException {
        Thread thread = new Thread(new Runnable() {
            @Override
            public void run() {
                Work.sum(1000);
            }
        });
        thread.start();
        thread.join();
    }

    @Test
    void fails() {
        assertEquals(2, Work.sum(2));
    }

    @Nested
    @Deterministic(seed = 7)
    class Seeded {
        @Test
        void random() {
            System.out.println("random: " + new Random().nextInt());
        }
    }

    @Test
    @Explore(iterations = 10)
    void explored() {
        Work.sum(1);
    }
}
