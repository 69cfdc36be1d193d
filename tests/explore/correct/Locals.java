import java.util.*;

/** Variables of each thread. */
public class Locals {
    public static void main(String[] args) throws Exception {
        ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
        Check.Body body = () -> {
            local.get()[0]++;
            Check.that(local.get()[0] == 1, local.get()[0]);
            local.remove();
        };
        Check.join(Check.start(body), Check.start(body));
    }
}
