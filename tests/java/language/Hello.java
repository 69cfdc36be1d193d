/** The least a VM must do: print a line. */
public class Hello {
    public static void main(String[] args) {
        System.out.println("Hello, world");
    }
}
