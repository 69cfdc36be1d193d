/** Its initializer fails. */
public class BadInit {
    static { if (true) throw new IllegalArgumentException("no"); }
    public static void main(String[] args) { }
}
