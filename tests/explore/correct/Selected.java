import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A client that selects when it is connected, and a server that waits for it. */
public class Selected {
    public static void main(String[] args) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(); Selector selector = Selector.open(); SocketChannel client = SocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread t = Check.start(() -> {
                try (SocketChannel c = server.accept()) {
                    c.write(ByteBuffer.wrap(new byte[] {42}));
                }
            });
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
            Check.that(!client.connect(server.getLocalAddress()), "under way");
            Check.that(selector.select() == 1 && key.isConnectable() && client.finishConnect(), "connected");
            key.interestOps(SelectionKey.OP_READ);
            selector.selectedKeys().clear();
            Check.that(selector.select() == 1 && key.isReadable(), "an answer");
            ByteBuffer answer = ByteBuffer.allocate(2);
            Check.that(client.read(answer) == 1 && answer.get(0) == 42, "the answer");
            Check.join(t);
        }
    }
}
