import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Loopback sockets: streams, channels, a selector, datagrams, timeouts, refused connections; URL and URI parsing. */
public class Sockets {
    public static void main(String[] args) throws Exception {
        InetAddress lo = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
        try (ServerSocket server = new ServerSocket(0, 5, lo)) {
            Thread t = new Thread(() -> {
                for (int i = 0; i < 3; i++) {
                    try (Socket s = server.accept(); BufferedReader r = new BufferedReader(new InputStreamReader(s.getInputStream())); PrintWriter w = new PrintWriter(s.getOutputStream(), true)) {
                        for (String line; (line = r.readLine()) != null; ) w.println("echo " + line.toUpperCase());
                    } catch (IOException e) {
                        System.out.println(e);
                    }
                }
            });
            t.start();
            for (int i = 0; i < 3; i++) {
                try (Socket s = new Socket(lo, server.getLocalPort())) {
                    s.setTcpNoDelay(true);
                    s.setSoTimeout(20000);
                    OutputStream o = s.getOutputStream();
                    o.write(("hello " + i + "\nsecond\n").getBytes());
                    s.shutdownOutput();
                    System.out.println(new String(s.getInputStream().readAllBytes()).replace("\n", "/") + " " + s.isConnected() + s.getTcpNoDelay() + s.isOutputShutdown());
                }
            }
            t.join();
            server.setSoTimeout(20);
            try { server.accept(); } catch (SocketTimeoutException e) { System.out.println(e.getMessage()); }
            System.out.println(server.isBound() + " " + server.getInetAddress().isLoopbackAddress());
        }
        Selector sel = Selector.open();
        ServerSocketChannel ssc = ServerSocketChannel.open().bind(new InetSocketAddress(lo, 0));
        ssc.configureBlocking(false);
        ssc.register(sel, SelectionKey.OP_ACCEPT);
        SocketChannel client = SocketChannel.open(ssc.getLocalAddress());
        client.write(ByteBuffer.wrap("select me".getBytes()));
        boolean done = false;
        while (!done) {
            sel.select();
            for (Iterator<SelectionKey> it = sel.selectedKeys().iterator(); it.hasNext(); ) {
                SelectionKey k = it.next();
                it.remove();
                if (k.isAcceptable()) {
                    SocketChannel c = ssc.accept();
                    c.configureBlocking(false);
                    c.register(sel, SelectionKey.OP_READ, "attached");
                    System.out.println("accepted");
                } else if (k.isReadable()) {
                    ByteBuffer b = ByteBuffer.allocate(100);
                    int n = ((SocketChannel) k.channel()).read(b);
                    System.out.println(n + " " + StandardCharsets.UTF_8.decode(b.flip()) + " " + k.attachment());
                    ((SocketChannel) k.channel()).write(ByteBuffer.wrap("ok".getBytes()));
                    k.channel().close();
                    done = true;
                }
            }
        }
        ByteBuffer reply = ByteBuffer.allocate(10);
        while (client.read(reply) >= 0) { }
        System.out.println(new String(reply.array(), 0, reply.position()) + " " + sel.selectNow() + " " + sel.keys().size());
        client.close();
        ssc.close();
        sel.close();
        try { client.read(reply); } catch (ClosedChannelException e) { System.out.println("closed"); }
        try (DatagramSocket a = new DatagramSocket(0, lo); DatagramSocket b = new DatagramSocket(0, lo)) {
            a.send(new DatagramPacket("packet".getBytes(), 6, lo, b.getLocalPort()));
            DatagramPacket p = new DatagramPacket(new byte[20], 20);
            b.receive(p);
            System.out.println(new String(p.getData(), 0, p.getLength()) + " " + (p.getPort() == a.getLocalPort()));
        }
        int free;
        try (ServerSocket s = new ServerSocket(0, 1, lo)) { free = s.getLocalPort(); }
        try { new Socket(lo, free).close(); } catch (ConnectException e) { System.out.println(e.getMessage()); }
        URI u = new URI("http://user@example.com:8080/a/b/../c?q=1&r=%20#frag");
        System.out.println(u.getHost() + " " + u.getPort() + " " + u.getPath() + " " + u.getQuery() + "|" + u.getRawQuery() + " " + u.getFragment() + " " + u.normalize() + " " + u.resolve("../d?x") + " " + URI.create("a:b").isOpaque() + " " + URI.create("http://h/a/").relativize(URI.create("http://h/a/b")));
        try { new URI("http://bad host/"); } catch (URISyntaxException e) { System.out.println(e.getMessage()); }
        URL url = new URL("https://h.org/p/f.html?x=y#r");
        System.out.println(url.getProtocol() + " " + url.getFile() + " " + url.getRef() + " " + url.getDefaultPort() + " " + URLEncoder.encode("a b&ü/", "UTF-8") + " " + URLDecoder.decode("a+b%26", "UTF-8"));
        try { new URL("none://x"); } catch (MalformedURLException e) { System.out.println(e.getMessage()); }
        System.out.println(InetAddress.getByName("10.1.2.3") + " " + InetAddress.getByName("::1").getHostAddress() + " " + InetAddress.getByName("192.168.0.1").isSiteLocalAddress() + " " + new InetSocketAddress("127.0.0.1", 80) + " " + InetSocketAddress.createUnresolved("h", 1).isUnresolved() + " " + Inet4Address.getByName("127.0.0.1").isLoopbackAddress());
    }
}
