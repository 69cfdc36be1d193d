import org.testng.annotations.Test;
import rjvm.test.BytecodeBudget;

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
    public void fails() {
        throw new IllegalStateException("on purpose");
    }
}
