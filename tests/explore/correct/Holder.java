import java.util.*;

/** A class that two threads initialize. */
public class Holder {
    static class Lazy {
        static final Lazy VALUE = new Lazy();
        final int n;

        Lazy() {
            n = 7;
        }
    }

    public static void main(String[] args) throws Exception {
        int[] got = new int[2];
        Thread a = Check.start(() -> got[0] = Lazy.VALUE.n), b = Check.start(() -> got[1] = Lazy.VALUE.n);
        Check.join(a, b);
        Check.that(got[0] == 7 && got[1] == 7, Arrays.toString(got));
    }
}
