import java.util.*;
import java.util.concurrent.*;

/** Two give each other what they have. */
public class Exchange {
    public static void main(String[] args) throws Exception {
        Exchanger<String> exchanger = new Exchanger<>();
        Thread t = Check.start(() -> Check.that(exchanger.exchange("a").equals("b"), "a"));
        Check.that(exchanger.exchange("b").equals("a"), "b");
        Check.join(t);
    }
}
