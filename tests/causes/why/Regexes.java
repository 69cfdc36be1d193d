/** Planted: a pattern is compiled for each line. */
public class Regexes {
    static int fields(String line) {
        return line.split("\\s*[,;]\\s*").length; // planted
    }

    public static void main(String[] args) {
        int fields = 0;
        for (int i = 0; i < 2_000; i++) {
            fields += fields("a, b ; c" + i);
        }
        System.out.println(fields);
    }
}
