/** Loads the classes it is given the names of: those of the boot loader's path. */
public class L {
    public static void main(String[] args) {
        J.main(args);
    }
}
