/** Much is done before the second thread is started. */
public class Prelude {
    static int n;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 200_000; i++) {
            n += i;
        }
        Thread t = new Thread(() -> n++);
        t.start();
        t.join();
    }
}
