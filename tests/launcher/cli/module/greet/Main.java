package greet;

/** The main class of a module. */
public class Main {
    public static void main(String[] args) {
        System.out.println("hello from " + Main.class.getModule() + " " + args.length);
    }
}
