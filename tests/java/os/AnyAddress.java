import com.sun.net.httpserver.HttpServer;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.Collections;

/** Sockets of every kind that nobody binds to a certain address: most live in IPv6, which natives make objects of. */
public class AnyAddress {
    static void show(String what, SocketAddress address) {
        InetSocketAddress a = (InetSocketAddress) address;
        System.out.println(what + " " + a.getAddress() + " " + a.getAddress().getClass().getSimpleName() + " " + (a.getPort() > 0));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(InetAddress.getByName("::1") + " " + InetAddress.getByName("fe80::1%1"));
        try (ServerSocket server = new ServerSocket(0); Socket c = new Socket("127.0.0.1", server.getLocalPort()); Socket s = server.accept()) {
            show("server", server.getLocalSocketAddress());
            System.out.println(s.getInetAddress() + " " + s.getLocalAddress() + " " + c.getLocalAddress());
        }
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(null)) {
            show("server channel", server.getLocalAddress());
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            try (SocketChannel c = SocketChannel.open(new InetSocketAddress("127.0.0.1", port)); SocketChannel s = server.accept()) {
                show("peer", s.getRemoteAddress());
            }
        }
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(0))) {
            show("asynchronous", server.getLocalAddress());
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            var accepted = server.accept();
            try (AsynchronousSocketChannel c = AsynchronousSocketChannel.open()) {
                c.connect(new InetSocketAddress("127.0.0.1", port)).get();
                try (AsynchronousSocketChannel s = accepted.get()) {
                    show("peer", s.getRemoteAddress());
                    System.out.println(s.write(ByteBuffer.wrap(new byte[3])).get() + " " + c.read(ByteBuffer.allocate(9)).get());
                }
            }
        }
        try (DatagramSocket a = new DatagramSocket(); DatagramSocket b = new DatagramSocket()) {
            show("datagram", a.getLocalSocketAddress());
            a.send(new DatagramPacket(new byte[4], 4, InetAddress.getByName("127.0.0.1"), b.getLocalPort()));
            DatagramPacket p = new DatagramPacket(new byte[9], 9);
            b.receive(p);
            System.out.println(p.getLength() + " " + p.getAddress());
        }
        try (DatagramChannel a = DatagramChannel.open().bind(null)) {
            show("datagram channel", a.getLocalAddress());
        }
        try (MulticastSocket m = new MulticastSocket()) {
            show("multicast", m.getLocalSocketAddress());
        }
        HttpServer http = HttpServer.create(new InetSocketAddress(0), 0);
        show("http", http.getAddress());
        http.stop(0);
        for (NetworkInterface n : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (n.getInterfaceAddresses().isEmpty()) System.out.println("no address: " + n);
            for (InetAddress a : Collections.list(n.getInetAddresses())) {
                if (!n.equals(NetworkInterface.getByInetAddress(a))) System.out.println("another interface for " + a);
                if (a instanceof Inet6Address && !n.equals(((Inet6Address) a).getScopedInterface())) System.out.println("no scope: " + a);
            }
        }
        System.out.println(NetworkInterface.getByName("no such") + " " + NetworkInterface.getByIndex(999999));
        System.out.println(java.security.SecureRandom.getInstance("SHA1PRNG").generateSeed(8).length);
    }
}
