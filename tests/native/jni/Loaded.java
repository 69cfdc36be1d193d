/** What the library finds as it is loaded. */
public class Loaded {
    static String by = "nobody";
    static void loaded() { by = Thread.currentThread().getName(); }
}
