package java.lang.fresh;

/** A class of a new package. */
public class Fresh {
    public static String call() throws Exception {
        Throwable t = new Throwable();
        return t.getStackTrace()[0] + " " + Fresh.class.getModule().isOpen("java.lang.fresh");
    }

    @Override
    public String toString() {
        return "fresh";
    }
}
