/** The main class of a jar with a manifest that says more. */
public class JarMain {
    public static void main(String[] args) throws Exception {
        System.out.println(Helper.help() + " " + Version.text() + " " + String.join(",", args));
        var field = String.class.getDeclaredField("value");
        field.setAccessible(true);
        System.out.println(field.get("abc").getClass());
    }
}
