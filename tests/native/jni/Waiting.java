/** Native methods that wait, while other threads run. */
public class Waiting {
    static native int doze(int how);
    static native int open();
    static native int receive();
    static native int read();
    static native int send(int c);

    static volatile boolean over;

    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnisuite");
        for (int how = 0; how < 4; how++) {
            over = false;
            long[] rounds = new long[1];
            Thread t = new Thread(() -> {
                while (!over) {
                    rounds[0]++;
                    Thread.yield();
                }
            });
            t.start();
            long begun = System.nanoTime();
            int r = doze(how);
            boolean long_enough = System.nanoTime() - begun >= 49_000_000;
            over = true;
            t.join();
            System.out.println(r + " " + long_enough + " " + (rounds[0] > 10));
        }
        System.out.println(open());
        passed(42, Waiting::receive);
        passed(43, Waiting::read);
    }

    /** A thread waits in native code for what this one sends. */
    static void passed(int c, java.util.function.IntSupplier waits) throws Exception {
        Thread t = new Thread(() -> System.out.println(waits.getAsInt()));
        t.start();
        Thread.sleep(20);
        int sent = send(c);
        t.join();
        System.out.println(sent);
    }
}
