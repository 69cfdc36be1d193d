package pk;

/** A class in a package, compiled with lines. */
public class Packed {
    static int[] copy(int[] from) {
        return from.clone();
    }

    public static void main(String[] args) {
        int[] numbers = {1, 2, 3};
        for (int i = 0; i < 50; i++) {
            numbers = copy(numbers);
            System.arraycopy(numbers, 0, numbers, 1, 2);
        }
    }
}
