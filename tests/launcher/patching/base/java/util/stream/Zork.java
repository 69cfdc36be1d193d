package java.util.stream;

/** A new class of an old package; sees what is package-private there. */
public class Zork {
    public static String call() {
        return StreamOpFlag.DISTINCT + " " + new java.lang.fresh.Fresh();
    }

    @Override
    public String toString() {
        return "zork";
    }
}
