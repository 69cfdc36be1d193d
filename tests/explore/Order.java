/** Prints in the order of its threads. */
public class Order {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> System.out.println("b"));
        t.start();
        System.out.println("a");
        t.join();
    }
}
