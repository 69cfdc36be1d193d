/** The program that agents look at: recursion, a class initializer, exceptions, a second thread, a deep stack. */
public class Work {
    static class Late {
        static int sum;

        static {
            for (int i = 0; i < 300; i++) {
                sum += i;
            }
        }
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int deep(int n) {
        return n == 0 ? fib(12) : deep(n - 1) + 1;
    }

    static int thrown() {
        int caught = 0;
        for (int i = -3; i < 3; i++) {
            try {
                caught += 10 / i;
            } catch (ArithmeticException e) {
                caught += 100;
            }
        }
        return caught;
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(null, null, "other", 1 << 25) {
            @Override
            public void run() {
                System.out.println(deep(10_000));
            }
        };
        other.setDaemon(true);
        other.setPriority(3);
        other.start();
        System.out.println(fib(16));
        System.out.println(Late.sum);
        System.out.println(thrown());
        other.join();
        System.out.println(new Object().hashCode() + " " + "ab".repeat(3));
        System.exit(7);
    }
}
