import java.nio.*;
import java.nio.channels.*;

/** A pipe of channels, and a selector. */
public class Pipes {
    public static void main(String[] args) throws Exception {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        Thread t = Check.start(() -> pipe.sink().write(ByteBuffer.wrap(new byte[] {5})));
        try (Selector selector = Selector.open()) {
            pipe.source().register(selector, SelectionKey.OP_READ);
            while (selector.select() == 0) {
                Thread.yield();
            }
            ByteBuffer got = ByteBuffer.allocate(1);
            pipe.source().read(got);
            Check.that(got.get(0) == 5, got.get(0));
        }
        Check.join(t);
    }
}
