package java.sql.fresh;

/** In a new package of a module of the platform loader. */
public class Column {
    @Override
    public String toString() {
        return "column";
    }
}
