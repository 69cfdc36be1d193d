import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Sockets of IPv6 and of both protocols, within this machine; prints no port as it is. */
public class Six {
    static final Map<Integer, String> PORTS = new HashMap<>();

    static String show(Object address) {
        String text = String.valueOf(address);
        int colon = text.lastIndexOf(':');
        if (!(address instanceof InetSocketAddress a)) return text;
        // names are those of the machine
        text = text.substring(text.indexOf('/'));
        colon = text.lastIndexOf(':');
        String port = a.getPort() == 0 ? "0" : PORTS.computeIfAbsent(a.getPort(), p -> "port" + PORTS.size());
        return text.substring(0, colon + 1) + port;
    }

    interface Try {
        Object get() throws Exception;
    }

    static void print(String what, Try of) {
        try {
            System.out.println(what + ": " + show(of.get()));
        } catch (Exception e) {
            System.out.println(what + ": " + e.getClass().getName() + ": " + e.getMessage());
        }
    }

    static void names() throws Exception {
        print("localhost", () -> InetAddress.getAllByName("localhost")[0]);
        print("all of ::1", () -> Arrays.toString(InetAddress.getAllByName("::1")));
        print("loopback", () -> InetAddress.getLoopbackAddress());
        print("mapped", () -> InetAddress.getByName("::ffff:127.0.0.1"));
        NetworkInterface lo = NetworkInterface.getByName("lo");
        for (InetAddress a : Collections.list(lo.getInetAddresses())) {
            System.out.println("lo has " + a + " " + a.isLoopbackAddress());
            System.out.println("which belongs to " + NetworkInterface.getByInetAddress(a).getName());
        }
        for (InterfaceAddress a : lo.getInterfaceAddresses()) System.out.println("lo has " + a);
        System.out.println(lo.isUp() + " " + lo.isLoopback() + " " + lo.supportsMulticast() + " " + lo.getMTU());
    }

    /** A server at one address, and who gets there from others. */
    static void serve(String at, String... from) throws Exception {
        try (ServerSocket server = new ServerSocket()) {
            server.bind(at.isEmpty() ? null : new InetSocketAddress(at, 0), 5);
            print("server", server::getLocalSocketAddress);
            System.out.println(server.getInetAddress());
            for (String client : from) {
                print(at + " from " + client, () -> {
                    try (Socket s = new Socket()) {
                        s.connect(new InetSocketAddress(client, server.getLocalPort()), 1000);
                        try (Socket other = server.accept()) {
                            System.out.println(show(s.getLocalSocketAddress()) + " to " + show(s.getRemoteSocketAddress()));
                            System.out.println(show(other.getLocalSocketAddress()) + " from " + show(other.getRemoteSocketAddress()));
                            s.getOutputStream().write((client + "\n").getBytes());
                            return new BufferedReader(new InputStreamReader(other.getInputStream())).readLine();
                        }
                    }
                });
            }
        }
    }

    /** Clients that have an address of one protocol already. */
    static void bound() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            for (String own : new String[] {"127.0.0.1", "::1", "0.0.0.0"}) {
                for (String to : new String[] {"127.0.0.1", "::1"}) {
                    print(own + " to " + to, () -> {
                        try (Socket s = new Socket()) {
                            s.bind(new InetSocketAddress(own, 0));
                            s.connect(new InetSocketAddress(to, server.getLocalPort()), 1000);
                            try (Socket other = server.accept()) {
                                return show(s.getLocalSocketAddress()) + " " + show(other.getRemoteSocketAddress());
                            }
                        }
                    });
                }
            }
        }
    }

    static void channels() throws Exception {
        for (ProtocolFamily f : new ProtocolFamily[] {null, StandardProtocolFamily.INET, StandardProtocolFamily.INET6}) {
            for (String at : new String[] {"", "127.0.0.1", "::1"}) {
                print(f + " channel at " + at, () -> {
                    try (ServerSocketChannel server = f == null ? ServerSocketChannel.open() : ServerSocketChannel.open(f)) {
                        server.bind(at.isEmpty() ? null : new InetSocketAddress(at, 0));
                        int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
                        for (String to : new String[] {"127.0.0.1", "::1"}) {
                            print(show(server.getLocalAddress()) + " from " + to, () -> {
                                try (SocketChannel s = SocketChannel.open(new InetSocketAddress(to, port)); SocketChannel o = server.accept()) {
                                    return show(s.getLocalAddress()) + " " + show(o.getLocalAddress()) + " " + show(o.getRemoteAddress());
                                }
                            });
                        }
                        return "closed";
                    }
                });
            }
        }
    }

    static void taken() throws Exception {
        String[] all = {"", "0.0.0.0", "127.0.0.1", "::1", "::"};
        for (String a : all) {
            for (String b : all) {
                print("'" + a + "' beside '" + b + "'", () -> {
                    try (ServerSocket first = new ServerSocket(); ServerSocket second = new ServerSocket()) {
                        first.bind(a.isEmpty() ? null : new InetSocketAddress(a, 0));
                        int port = first.getLocalPort();
                        second.bind(b.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(b, port));
                        return "both";
                    }
                });
            }
        }
        print("elsewhere", () -> new ServerSocket(0, 1, InetAddress.getByName("2001:db8::1")));
        print("elsewhere", () -> new ServerSocket(0, 1, InetAddress.getByName("192.0.2.1")));
    }

    static void datagrams() throws Exception {
        String[] all = {"0.0.0.0", "127.0.0.1", "::1"};
        for (String at : all) {
            for (String to : new String[] {"127.0.0.1", "::1"}) {
                print("datagram for " + at + " to " + to, () -> {
                    try (DatagramSocket s = new DatagramSocket(new InetSocketAddress(at, 0)); DatagramSocket c = new DatagramSocket()) {
                        s.setSoTimeout(100);
                        c.send(new DatagramPacket(new byte[] {1, 2, 3}, 3, InetAddress.getByName(to), s.getLocalPort()));
                        DatagramPacket p = new DatagramPacket(new byte[8], 8);
                        s.receive(p);
                        byte[] back = {4};
                        s.send(new DatagramPacket(back, 1, p.getSocketAddress()));
                        DatagramPacket q = new DatagramPacket(new byte[8], 8);
                        c.setSoTimeout(100);
                        c.receive(q);
                        return p.getLength() + " " + show(p.getSocketAddress()) + " " + show(q.getSocketAddress()) + " " + show(c.getLocalSocketAddress());
                    }
                });
            }
        }
        try (DatagramChannel a = DatagramChannel.open(); DatagramChannel b = DatagramChannel.open(StandardProtocolFamily.INET);
             DatagramChannel c = DatagramChannel.open(StandardProtocolFamily.INET6)) {
            print("before", a::getLocalAddress);
            b.bind(new InetSocketAddress("127.0.0.1", 0));
            a.send(ByteBuffer.wrap("abc".getBytes()), b.getLocalAddress());
            print("after", a::getLocalAddress);
            ByteBuffer room = ByteBuffer.allocate(9);
            print("from", () -> b.receive(room));
            c.connect(new InetSocketAddress("::1", ((InetSocketAddress) a.getLocalAddress()).getPort()));
            print("connected", () -> c.getLocalAddress());
            print("connected", () -> c.getRemoteAddress());
            c.write(ByteBuffer.wrap("de".getBytes()));
            print("from", () -> a.receive(room));
            a.send(ByteBuffer.wrap("f".getBytes()), c.getLocalAddress());
            print("read", () -> c.read(room));
            print("all", () -> StandardCharsets.US_ASCII.decode(room.flip()));
            print("v6 from v4", () -> b.send(ByteBuffer.wrap("x".getBytes()), c.getLocalAddress()));
            c.disconnect();
            print("disconnected", () -> c.getLocalAddress());
            b.connect(a.getLocalAddress() instanceof InetSocketAddress l ? new InetSocketAddress("127.0.0.1", l.getPort()) : null);
            print("b", () -> show(b.getLocalAddress()) + " " + show(b.getRemoteAddress()));
            b.write(ByteBuffer.wrap("g".getBytes()));
            print("from", () -> a.receive(ByteBuffer.allocate(3)));
        }
    }

    static void options() throws Exception {
        try (ServerSocketChannel s = ServerSocketChannel.open(); SocketChannel c = SocketChannel.open(); DatagramChannel d = DatagramChannel.open()) {
            for (NetworkChannel n : List.of(s, c, d))
                for (SocketOption<?> o : new TreeMap<String, SocketOption<?>>(name(n)).values()) 
                    print(n.getClass().getSimpleName() + " " + o.name(), () -> {
                        Object v = ((NetworkChannel) n).getOption(o);
                        return o.name().endsWith("BUF") ? "some" : v;
                    });
            d.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 3);
            d.setOption(StandardSocketOptions.IP_TOS, 8);
            d.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, false);
            d.setOption(StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByName("lo"));
            print("ttl", () -> d.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
            print("tos", () -> d.getOption(StandardSocketOptions.IP_TOS));
            print("loop", () -> d.getOption(StandardSocketOptions.IP_MULTICAST_LOOP));
            print("if", () -> d.getOption(StandardSocketOptions.IP_MULTICAST_IF).getName());
        }
    }

    static Map<String, SocketOption<?>> name(NetworkChannel n) {
        Map<String, SocketOption<?>> all = new HashMap<>();
        for (SocketOption<?> o : n.supportedOptions()) all.put(o.name(), o);
        return all;
    }

    static void select() throws Exception {
        try (Selector sel = Selector.open(); ServerSocketChannel six = ServerSocketChannel.open(); ServerSocketChannel four = ServerSocketChannel.open()) {
            six.bind(new InetSocketAddress("::1", 0)).configureBlocking(false).register(sel, SelectionKey.OP_ACCEPT, "six");
            four.bind(new InetSocketAddress("127.0.0.1", 0)).configureBlocking(false).register(sel, SelectionKey.OP_ACCEPT, "four");
            Thread[] all = new Thread[6];
            for (int i = 0; i < all.length; i++) {
                SocketAddress to = (i % 2 == 0 ? six : four).getLocalAddress();
                byte n = (byte) i;
                all[i] = new Thread(() -> {
                    try (SocketChannel c = SocketChannel.open(to)) {
                        c.write(ByteBuffer.wrap(new byte[] {n}));
                        c.shutdownOutput();
                        c.read(ByteBuffer.allocate(1));
                    } catch (IOException e) {
                        System.out.println(e);
                    }
                });
            }
            for (Thread t : all) t.start();
            List<String> order = new ArrayList<>();
            while (order.size() < all.length) {
                sel.select();
                for (Iterator<SelectionKey> i = sel.selectedKeys().iterator(); i.hasNext();) {
                    SelectionKey k = i.next();
                    i.remove();
                    SocketChannel c = ((ServerSocketChannel) k.channel()).accept();
                    if (c == null) continue;
                    c.configureBlocking(true);
                    ByteBuffer b = ByteBuffer.allocate(1);
                    c.read(b);
                    order.add(k.attachment() + " " + b.get(0));
                    c.close();
                }
            }
            for (Thread t : all) t.join();
            if (Boolean.getBoolean("order")) System.out.println("in order: " + order);
            Collections.sort(order);
            System.out.println(order);
        }
    }

    public static void main(String[] args) throws Exception {
        names();
        if (Boolean.getBoolean("java.net.preferIPv4Stack")) return;
        serve("", "127.0.0.1", "::1", "localhost", "127.0.0.7");
        serve("::1", "::1", "127.0.0.1");
        serve("127.0.0.1", "127.0.0.1", "::1", "::ffff:127.0.0.1");
        serve("::", "127.0.0.1", "::1", "0.0.0.0", "::");
        bound();
        channels();
        taken();
        datagrams();
        options();
        select();
    }
}
