/** Litmus tests for rjvm explore: each schedule prints its outcome. */
public class Litmus {
    static int x, y;
    static volatile int v, w;
    static Box box;
    static int a = -1, b = -1;

    static class Box {
        int plain = 1;
        final int fixed;

        Box() {
            fixed = 1;
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable[] actors;
        switch (args[0]) {
            case "StoreBuffering":
                actors = new Runnable[] {() -> { x = 1; a = y; }, () -> { y = 1; b = x; }};
                break;
            case "VolatileStoreBuffering":
                actors = new Runnable[] {() -> { v = 1; a = w; }, () -> { w = 1; b = v; }};
                break;
            case "MessagePassing":
                actors = new Runnable[] {() -> { x = 1; y = 1; }, () -> { a = y; b = x; }};
                break;
            default:
                actors = new Runnable[] {() -> box = new Box(), () -> {
                    Box seen = box;
                    a = seen == null ? -1 : seen.plain;
                    b = seen == null ? -1 : seen.fixed;
                }};
        }
        new Box();
        Thread p = new Thread(actors[0]), q = new Thread(actors[1]);
        p.start();
        q.start();
        p.join();
        q.join();
        System.out.println(a + ", " + b);
    }
}
