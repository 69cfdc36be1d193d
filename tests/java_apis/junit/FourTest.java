import org.junit.Rule;
import org.junit.Test;
import rjvm.test.BytecodeBudget;
import rjvm.test.junit4.RjvmRule;

public class FourTest {
    @Rule
    public final RjvmRule rjvm = new RjvmRule();

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
}
