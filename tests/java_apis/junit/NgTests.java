import static org.testng.Assert.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.testng.annotations.Test;
import rjvm.test.BytecodeBudget;
import rjvm.test.Explore;

public class NgTests {
    @Test
    @BytecodeBudget(max = 8_000)
    public void exceeded() {
        Work.sum(1000);
    }

    @Test
    @BytecodeBudget(max = 12_031)
    public void kept() {
        Work.sum(1000);
    }

    @Test
    @Explore(iterations = 200)
    public void lostUpdate() throws Exception {
        plain = 0;
        Work.twice(() -> plain++);
        assertEquals(plain, 2);
    }

    @Test
    @Explore(iterations = 20)
    public void counts() throws Exception {
        AtomicInteger atomic = new AtomicInteger();
        Work.twice(atomic::incrementAndGet);
        assertEquals(atomic.get(), 2);
    }

    int plain;

    @Test
    public void fails() {
        throw new IllegalStateException("on purpose");
    }
}
