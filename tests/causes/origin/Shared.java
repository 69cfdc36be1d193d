/** A field is overwritten by another thread, which has been given the same object by mistake. */
public class Shared {
    static class Buffer {
        int size;

        void reset() {
            size = 0;
        }
    }

    static void fill(Buffer buffer) {
        for (int i = 0; i < 1000; i++) {
            buffer.size++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Buffer mine = new Buffer();
        Buffer[] pool = {new Buffer(), mine};
        fill(mine);
        Thread cleaner = new Thread(() -> {
            for (Buffer buffer : pool) {
                buffer.reset();
            }
        }, "cleaner");
        cleaner.start();
        cleaner.join();
        if (mine.size != 1000) {
            throw new IllegalStateException("size is " + mine.size);
        }
    }
}
