/** What the first thread writes before it ends, the other one reads when it is the only one left. */
public class LastAlone {
    static int value;

    public static void main(String[] args) {
        new Thread(() -> System.out.println(value == 2 ? "" : "other")).start();
        value = 2;
    }
}
