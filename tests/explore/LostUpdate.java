/** Two threads add to a plain counter. */
public class LostUpdate {
    static int counter;

    public static void main(String[] args) throws Exception {
        Runnable adds = () -> counter++;
        Thread a = new Thread(adds, "a"), b = new Thread(adds, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        if (counter != 2) throw new IllegalStateException("counter is " + counter);
    }
}
