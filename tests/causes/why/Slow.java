/** Planted: a text is put together piece by piece. */
public class Slow {
    static String table(int rows) {
        String text = "";
        for (int i = 0; i < rows; i++) {
            text += "row " + i + "\n"; // planted
        }
        return text;
    }

    public static void main(String[] args) {
        System.out.println(table(4_000).length());
    }
}
