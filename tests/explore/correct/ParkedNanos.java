import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Parking for a time, again and again. */
public class ParkedNanos {
    public static void main(String[] args) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread t = Check.start(() -> {
            while (!done.get()) {
                LockSupport.parkNanos(100);
            }
        });
        done.set(true);
        Check.join(t);
    }
}
