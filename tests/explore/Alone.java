/** Has no other thread. */
public class Alone {
    public static void main(String[] args) {
        System.out.println("alone");
        if (args.length > 0) System.exit(3);
    }
}
