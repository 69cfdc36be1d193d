/** Exceptions that are caught, and one that is not. */
public class Uncaught {
    static int divide(int a, int b) {
        return a / b;
    }

    static void check(int n) {
        if (n > 0) {
            throw new IllegalStateException("n is " + n);
        }
    }

    public static void main(String[] args) {
        try {
            divide(1, 0);
        } catch (ArithmeticException e) {
            System.out.println("caught " + e.getMessage());
        }
        try {
            check(1);
        } catch (RuntimeException e) {
            System.out.println("caught " + e.getMessage());
        }
        throw new UnsupportedOperationException();
    }
}
