package java.sql;

/** Takes the place of a class of the platform loader. */
public class DriverPropertyInfo {
    public static String call() {
        return "patched " + new java.sql.fresh.Column();
    }
}
