/** A StackOverflowError that leaves main: 1024 frames are printed, exit code 1. */
public class StackOverflowUncaught {
    static int a(int n) { return b(n + 1); }
    static int b(int n) { return a(n + 1); }

    public static void main(String[] args) {
        Thread.currentThread().setUncaughtExceptionHandler((t, e) -> {
            StackTraceElement[] trace = e.getStackTrace();
            System.out.println(e + " " + trace.length);
            int as = 0, bs = 0;
            for (StackTraceElement x : trace) {
                if (x.getMethodName().equals("a")) as++;
                if (x.getMethodName().equals("b")) bs++;
            }
            System.out.println((as == 512) + " " + (bs == 512));
        });
        a(0);
    }
}
