import java.util.*;

/** Classes that need each other in one direction. */
public class Initializers {
    static class Base {
        static int base = 1;
    }

    static class Lower extends Base {
        static int n = base;
    }

    static class Upper extends Lower {
        static int n = Lower.n + 2;
    }

    public static void main(String[] args) throws Exception {
        Thread a = Check.start(() -> Check.that(Upper.n == 3, Upper.n)), b = Check.start(() -> Check.that(Lower.n == 1, Lower.n));
        Check.join(a, b);
    }
}
