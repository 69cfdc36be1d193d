import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A task that two threads run is run once. */
public class TaskOnce {
    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger();
        FutureTask<Integer> task = new FutureTask<>(n::incrementAndGet);
        Thread a = Check.start(task::run), b = Check.start(task::run);
        Check.that(task.get() == 1, n);
        Check.join(a, b);
        Check.that(n.get() == 1, n);
    }
}
