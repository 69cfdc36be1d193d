/** An exception that leaves main: trace with causes on standard error, exit code 1, output before is kept. */
public class Uncaught {
    static class Failure extends Exception {
        final int code;
        Failure(int code, Throwable cause) { super("code " + code, cause); this.code = code; }
    }

    static void step(int n) throws Failure {
        try {
            if (n == 0) throw new ArithmeticException("bottom");
            step(n - 1);
        } catch (ArithmeticException e) {
            throw new Failure(n, e);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("before");
        System.out.print("no newline");
        try {
            step(3);
        } finally {
            System.out.println(" finally");
        }
        System.out.println("not reached");
    }
}
