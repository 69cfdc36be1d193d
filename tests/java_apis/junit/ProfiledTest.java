import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import rjvm.test.BytecodeBudget;
import rjvm.test.Profiled;

/** Tests whose profiles are written. */
class ProfiledTest {
    @Test
    @Profiled
    void sums() {
        Work.sum(1000);
    }

    @Test
    @Profiled(folder = "other/folder", loading = true)
    @BytecodeBudget(max = 8000)
    void exceeds() {
        Work.sum(1000);
    }

    @Test
    void plain() {
        Work.sum(1000);
    }

    @Nested
    @Profiled
    class All {
        @Test
        void one() {
            Assertions.assertEquals(0, Work.sum(0));
        }
    }
}
