import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A reference with a version. */
public class StampedReference {
    public static void main(String[] args) throws Exception {
        AtomicStampedReference<String> ref = new AtomicStampedReference<>("a", 0);
        Check.Body body = () -> {
            int[] stamp = new int[1];
            String held;
            do {
                held = ref.get(stamp);
            } while (!ref.compareAndSet(held, held, stamp[0], stamp[0] + 1));
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(ref.getStamp() == 2, ref.getStamp());
    }
}
