/** Prints what the class path is. */
public class ClassPath {
    public static void main(String[] args) {
        System.out.println("[" + System.getProperty("java.class.path") + "]");
    }
}
