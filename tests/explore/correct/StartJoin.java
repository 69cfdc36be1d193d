import java.util.*;

/** What comes before a start and after a join is in order. */
public class StartJoin {
    public static void main(String[] args) throws Exception {
        int[] n = {1};
        Thread t = new Thread(() -> n[0]++);
        t.start();
        t.join();
        Thread u = new Thread(() -> n[0]++);
        u.setDaemon(true);
        u.start();
        u.join();
        Check.that(n[0] == 3, n[0]);
    }
}
