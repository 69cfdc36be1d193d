import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Connections that nobody waits for, in the usual style: registered, connected, selected, finished. */
public class Connecting {
    interface Act {
        Object run() throws Exception;
    }

    static Object result(Act act) {
        try {
            return act.run();
        } catch (Exception e) {
            Throwable t = e instanceof java.util.concurrent.ExecutionException ? e.getCause() : e;
            return t.getClass().getName() + (t.getMessage() == null ? "" : ": " + t.getMessage());
        }
    }

    static void show(String what, Act act) {
        System.out.println(what + ": " + result(act));
    }

    /** What a channel registered before or after it connects is selected for. */
    static void connect(String what, InetSocketAddress to, boolean before) throws IOException {
        try (Selector s = Selector.open(); SocketChannel c = SocketChannel.open()) {
            c.configureBlocking(false);
            if (before) c.register(s, SelectionKey.OP_CONNECT);
            StringBuilder b = new StringBuilder(what).append(": ").append(result(() -> c.connect(to)));
            b.append(", pending ").append(c.isConnectionPending()).append(", connected ").append(c.isConnected());
            if (!before) c.register(s, SelectionKey.OP_CONNECT);
            b.append(", again ").append(result(() -> c.connect(to)));
            b.append(", read ").append(result(() -> c.read(ByteBuffer.allocate(1))));
            b.append(", selected ").append(s.select()).append(s.selectedKeys().size());
            SelectionKey k = s.selectedKeys().iterator().next();
            b.append(", connectable ").append(k.isConnectable()).append(", finished ").append(result(c::finishConnect));
            b.append(", open ").append(c.isOpen()).append(", connected ").append(c.isConnected());
            b.append(", finished ").append(result(c::finishConnect));
            if (c.isOpen()) {
                k.interestOps(SelectionKey.OP_WRITE | SelectionKey.OP_READ);
                s.selectedKeys().clear();
                b.append(", then ").append(s.select()).append(" for ").append(k.readyOps());
                b.append(", to ").append(c.getRemoteAddress().equals(to));
            }
            System.out.println(b);
        }
    }

    /** A client and a server in one loop. */
    static void loop() throws IOException {
        try (Selector s = Selector.open(); ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
            server.register(s, SelectionKey.OP_ACCEPT);
            for (int i = 0; i < 3; i++) {
                SocketChannel c = SocketChannel.open();
                c.configureBlocking(false);
                c.register(s, SelectionKey.OP_CONNECT, "client " + i);
                if (c.connect(server.getLocalAddress())) throw new AssertionError("at once");
            }
            int open = 3, sum = 0;
            while (open > 0) {
                s.select();
                for (var keys = s.selectedKeys().iterator(); keys.hasNext();) {
                    SelectionKey k = keys.next();
                    keys.remove();
                    if (k.isAcceptable()) {
                        SocketChannel c = server.accept();
                        c.configureBlocking(false);
                        c.register(s, SelectionKey.OP_READ, ByteBuffer.allocate(100));
                    } else if (k.isConnectable()) {
                        SocketChannel c = (SocketChannel) k.channel();
                        c.finishConnect();
                        c.write(ByteBuffer.wrap(((String) k.attachment()).getBytes()));
                        c.close();
                    } else if (k.isReadable()) {
                        ByteBuffer b = (ByteBuffer) k.attachment();
                        if (((SocketChannel) k.channel()).read(b) >= 0) continue;
                        k.channel().close();
                        for (int i = 0; i < b.position(); i++) sum = sum + b.get(i);
                        open--;
                    }
                }
            }
            System.out.println("loop: " + sum);
        }
    }

    public static void main(String[] args) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        InetSocketAddress nobody;
        try (ServerSocket gone = new ServerSocket(0, 1, here)) {
            nobody = new InetSocketAddress(here, gone.getLocalPort());
        }
        try (ServerSocket server = new ServerSocket(0, 50, here)) {
            InetSocketAddress to = new InetSocketAddress(here, server.getLocalPort());
            for (boolean before : new boolean[] {true, false}) {
                connect("somebody", to, before);
                connect("nobody", nobody, before);
            }
            show("accepted", () -> {
                try (Socket a = server.accept(); Socket b = server.accept()) {
                    return a.isConnected() && b.isConnected();
                }
            });
            show("without a selector", () -> {
                try (SocketChannel c = SocketChannel.open()) {
                    c.configureBlocking(false);
                    return c.connect(to) + " " + c.finishConnect() + " " + c.isConnected();
                }
            });
            show("without a selector, nobody", () -> {
                try (SocketChannel c = SocketChannel.open()) {
                    c.configureBlocking(false);
                    return c.connect(nobody) + " " + result(c::finishConnect) + " " + c.isOpen();
                }
            });
            show("finished by who waits", () -> {
                try (SocketChannel c = SocketChannel.open()) {
                    c.configureBlocking(false);
                    boolean at_once = c.connect(to);
                    c.configureBlocking(true);
                    return at_once + " " + c.finishConnect();
                }
            });
            show("waiting", () -> SocketChannel.open(to).isConnected());
            show("waiting, nobody", () -> SocketChannel.open(nobody));
            show("waiting for some time", () -> {
                try (Socket s = new Socket()) {
                    s.connect(to, 5000);
                    return s.isConnected();
                }
            });
            show("waiting for some time, nobody", () -> {
                try (Socket s = new Socket()) {
                    s.connect(nobody, 5000);
                    return s.isConnected();
                }
            });
            show("adaptor", () -> {
                try (SocketChannel c = SocketChannel.open()) {
                    c.socket().connect(to, 5000);
                    return c.isConnected();
                }
            });
        }
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(here, 0));
            var accepted = server.accept();
            show("asynchronous", () -> {
                try (AsynchronousSocketChannel c = AsynchronousSocketChannel.open()) {
                    return c.connect(server.getLocalAddress()).get() + " " + accepted.get().isOpen();
                }
            });
            show("asynchronous, nobody", () -> {
                try (AsynchronousSocketChannel c = AsynchronousSocketChannel.open()) {
                    return c.connect(nobody).get();
                }
            });
        }
        loop();
    }
}
