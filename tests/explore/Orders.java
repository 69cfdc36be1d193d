/** Two threads store twice each: there are six orders, and four last stores of two threads are two. */
public class Orders {
    static volatile int last;
    static volatile int seen;

    public static void main(String[] args) {
        new Thread(() -> {
            last = 1;
            seen = last;
        }).start();
        last = 2;
        System.out.println(last + " " + seen);
    }
}
