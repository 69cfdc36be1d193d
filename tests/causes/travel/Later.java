/** Uses a class of another file after a while. */
public class Later {
    public static void main(String[] args) {
        System.out.println("first");
        Uncaught.check(0);
        System.out.println("last");
    }
}
