/** Has no main method that can be run. */
public class NoMain {
    public static void main(int x) { }
}
