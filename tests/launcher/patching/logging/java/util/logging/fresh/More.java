package java.util.logging.fresh;

/** In a new package of that module. */
public class More {
    @Override
    public String toString() {
        return "more";
    }
}
