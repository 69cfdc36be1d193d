package greet;

/** A new class of a module of the module path. */
public class Added {
    public static void main(String[] args) {
        System.out.println(Added.class.getModule() + " " + Main.class.getModule() + " " + Added.class.getProtectionDomain().getCodeSource().getLocation());
    }
}
