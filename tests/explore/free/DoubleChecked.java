/** Double-checked locking as it should be, with a volatile variable. */
public class DoubleChecked {

    static final class Service {
        int state;

        Service() {
            state = 8;
        }
    }

    static volatile Service service;

    static Service get() {
        Service s = service;
        if (s == null) {
            synchronized (DoubleChecked.class) {
                s = service;
                if (s == null) service = s = new Service();
            }
        }
        return s;
    }

    public static void main(String[] args) throws Exception {
        Runnable uses = () -> {
            if (get().state != 8) throw new AssertionError();
        };
        Thread a = new Thread(uses), b = new Thread(uses);
        a.start();
        b.start();
        a.join();
        b.join();
        if (get() != get()) throw new AssertionError();
    }
}
