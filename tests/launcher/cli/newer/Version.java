/** The version for newer releases. */
public class Version {
    public static String text() { return "newer"; }
}
