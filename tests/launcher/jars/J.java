/** Run from a jar, or found in one; loads the classes it is given the names of. */
public class J {
    public static void main(String[] args) {
        System.out.println(J.class.getProtectionDomain().getCodeSource() != null);
        for (String name : args) {
            try {
                System.out.println(Class.forName(name) + " " + (Class.forName(name).getClassLoader() == null));
            } catch (Throwable t) {
                System.out.println(t);
            }
        }
    }
}
