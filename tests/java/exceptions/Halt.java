/** Runtime.halt ends the VM at once: no hooks, no finally. */
public class Halt {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("not reached")));
        try {
            System.out.println("halting");
            System.out.flush();
            Runtime.getRuntime().halt(7);
        } finally {
            System.out.println("not reached");
        }
    }
}
