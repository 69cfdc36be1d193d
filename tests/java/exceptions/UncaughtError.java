/** An error that leaves main from deep recursion, with a null message and a suppressed exception. */
public class UncaughtError {
    static int depth(int n) {
        if (n == 0) {
            AssertionError e = new AssertionError();
            e.addSuppressed(new IllegalStateException("hidden"));
            throw e;
        }
        return depth(n - 1) + 1;
    }

    public static void main(String[] args) {
        System.out.println("start");
        Thread.currentThread().setName("renamed");
        depth(4);
    }
}
