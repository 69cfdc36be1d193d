/** Planted: whether a text is a number is found out by an exception. */
public class Throws {
    static boolean isNumber(String text) {
        try {
            Integer.parseInt(text); // planted
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public static void main(String[] args) {
        String[] texts = {"12", "x", "y17", "4", "no", "never"};
        int numbers = 0;
        for (int i = 0; i < 12_000; i++) {
            if (isNumber(texts[i % texts.length])) {
                numbers++;
            }
        }
        System.out.println(numbers);
    }
}
