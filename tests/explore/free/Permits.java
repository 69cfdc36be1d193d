import java.util.concurrent.Semaphore;

/** A Semaphore with one permit is a lock; with none, it hands over. */
public class Permits {

    static int guarded, handed;

    public static void main(String[] args) throws Exception {
        Semaphore one = new Semaphore(1), none = new Semaphore(0);
        Runnable adds = () -> {
            one.acquireUninterruptibly();
            guarded++;
            one.release();
        };
        Thread a = new Thread(adds), b = new Thread(adds);
        Thread c = new Thread(() -> {
            handed = 9;
            none.release();
        });
        a.start();
        b.start();
        c.start();
        none.acquire();
        if (handed != 9) throw new AssertionError(handed);
        handed = 0;
        a.join();
        b.join();
        c.join();
        if (guarded != 2) throw new AssertionError(guarded);
    }
}
