package java.util.stream;

/** Its superclass is missing when it is loaded. */
public class Orphan extends Missing {
    public static String call() {
        return "never";
    }
}
