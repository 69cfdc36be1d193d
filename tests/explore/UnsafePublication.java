/** An object is handed over by a plain field: what its constructor stored need not be seen, but for final fields. */
public class UnsafePublication {
    static class Pair {
        int plain;
        final int frozen;

        Pair() {
            plain = 1;
            frozen = 1;
        }
    }

    static Pair pair;

    public static void main(String[] args) {
        new Thread(() -> pair = new Pair()).start();
        Pair found = pair;
        if (found != null) {
            int plain = found.plain;
            if (found.frozen != 1) {
                throw new AssertionError("a final field is not there");
            }
            if (plain != 1) {
                throw new IllegalStateException("plain is " + plain);
            }
        }
    }
}
