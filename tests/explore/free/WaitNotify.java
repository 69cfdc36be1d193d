/** A plain message is handed over by wait and notifyAll. */
public class WaitNotify {

    static String message;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread reader = new Thread(() -> {
            synchronized (lock) {
                while (message == null) {
                    try {
                        lock.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                message = message.concat("!");
                lock.notifyAll();
            }
        });
        reader.start();
        synchronized (lock) {
            message = "a";
            lock.notifyAll();
            while (message.length() < 2) lock.wait();
        }
        if (!message.equals("a!")) throw new AssertionError(message);
        reader.join();
    }
}
