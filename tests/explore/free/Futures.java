import java.util.concurrent.CompletableFuture;

/** Plain data through CompletableFuture, however it is continued. */
public class Futures {

    static final class Box {
        int value;
    }

    public static void main(String[] args) throws Exception {
        CompletableFuture<Box> first = new CompletableFuture<>();
        Thread a = new Thread(() -> {
            Box box = new Box();
            box.value = 20;
            first.complete(box);
        });
        a.start();
        CompletableFuture<Box> next = first.thenApply(box -> {
            box.value++;
            return box;
        });
        CompletableFuture<Box> other = new CompletableFuture<>();
        Thread b = new Thread(() -> other.complete(new Box()));
        b.start();
        Box both = next.thenCombine(other, (x, y) -> {
            y.value = x.value * 2;
            return y;
        }).get();
        if (both.value != 42) throw new AssertionError(both.value);
        a.join();
        b.join();
    }
}
