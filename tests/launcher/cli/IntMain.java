/** Its main method returns something. */
public class IntMain {
    public static int main(String[] args) { return 1; }
}
