/** Each of two threads stores and then looks at what the other stores: neither need see the other's store. */
public class StoreBuffering {
    static int x, y, seenX, seenY;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> {
            x = 1;
            seenY = y;
        });
        Thread second = new Thread(() -> {
            y = 1;
            seenX = x;
        });
        first.start();
        second.start();
        first.join();
        second.join();
        if (seenX == 0 && seenY == 0) {
            throw new IllegalStateException("neither has seen the other");
        }
    }
}
