/** The main class's own initialiser fails: the exception is printed as ExceptionInInitializerError, exit code 1. */
public class InitFailure {
    static int[] table = new int[2];
    static int value;

    static {
        System.out.println("initialising");
        value = compute(2);
    }

    static int compute(int i) {
        return table[i];
    }

    public static void main(String[] args) {
        System.out.println("not reached");
    }
}
