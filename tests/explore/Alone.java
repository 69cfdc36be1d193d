import java.lang.ref.Cleaner;

/** Has no other thread than one of the class library's. */
public class Alone {
    public static void main(String[] args) {
        Cleaner.create();
        System.out.println("alone");
        if (args.length > 0) System.exit(3);
    }
}
