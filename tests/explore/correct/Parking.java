import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** A flag, parking, and a permit that may come first. */
public class Parking {
    public static void main(String[] args) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread t = Check.start(() -> {
            while (!done.get()) {
                LockSupport.park();
            }
        });
        done.set(true);
        LockSupport.unpark(t);
        Check.join(t);
    }
}
