/** The oldest of a multi-release jar's versions. */
public class Version {
    public static String text() { return "plain"; }
}
