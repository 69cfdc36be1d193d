/** A thread looks at variables again and again, a volatile one and a plain one, before another one has written them. */
public class PlainSpin {
    static volatile boolean ready;
    static boolean done;

    public static void main(String[] args) {
        new Thread(() -> {
            while (!ready) {}
            while (!done) {}
        }, "waits").start();
        ready = true;
        done = true;
    }
}
