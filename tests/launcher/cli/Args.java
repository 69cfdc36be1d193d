/** Prints its arguments and what the command line made of the properties `my` and `other`. */
public class Args {
    public static void main(String[] args) {
        for (String a : args) System.out.println("[" + a + "]");
        System.out.println(System.getProperty("my") + " " + System.getProperty("other"));
        boolean on = false;
        assert on = true;
        System.out.println("assertions " + on);
    }
}
