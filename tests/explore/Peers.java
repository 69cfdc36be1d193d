import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** Waits for somebody who can't come. */
public class Peers {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { });
        t.start();
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        switch (args[0]) {
            case "accept" -> server.accept();
            case "read" -> new Socket(server.getInetAddress(), server.getLocalPort()).getInputStream().read();
            case "select" -> {
                Pipe pipe = Pipe.open();
                pipe.source().configureBlocking(false);
                Selector selector = Selector.open();
                pipe.source().register(selector, SelectionKey.OP_READ);
                selector.select();
            }
            default -> Pipe.open().source().read(java.nio.ByteBuffer.allocate(1));
        }
    }
}
