import java.util.*;

/** What comes at the end comes after the program. */
public class Hooks {
    public static void main(String[] args) throws Exception {
        int[] n = new int[1];
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Check.that(n[0] == 1, n[0])));
        Check.join(Check.start(() -> n[0]++));
    }
}
