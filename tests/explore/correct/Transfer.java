import java.util.*;
import java.util.concurrent.*;

/** What is transferred has been taken. */
public class Transfer {
    public static void main(String[] args) throws Exception {
        LinkedTransferQueue<String> queue = new LinkedTransferQueue<>();
        boolean[] taken = new boolean[1];
        Thread t = Check.start(() -> {
            taken[0] = true;
            queue.take();
        });
        queue.transfer("x");
        Check.that(taken[0] && queue.isEmpty(), queue);
        Check.join(t);
    }
}
