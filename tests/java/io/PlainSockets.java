import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** The sockets of before NIO, which a property asks for: what they do, and the words in which they fail. */
public class PlainSockets {
    interface Act {
        Object run() throws Exception;
    }

    static final InetAddress HERE = InetAddress.getLoopbackAddress();

    static Object result(Act act) {
        try {
            return act.run();
        } catch (Exception e) {
            StackTraceElement top = e.getStackTrace()[0];
            return e + " in " + top.getClassName() + "." + top.getMethodName();
        }
    }

    static void show(String what, Act act) {
        System.out.println(what + ": " + result(act));
    }

    static ServerSocket server(int backlog) throws IOException {
        return new ServerSocket(0, backlog, HERE);
    }

    static SocketAddress of(ServerSocket s) {
        return new InetSocketAddress(HERE, s.getLocalPort());
    }

    /** Waits until a thread is in a method that waits outside. */
    static void untilIn(Thread t, String method) throws Exception {
        for (int i = 0; i < 5000; i++) {
            StackTraceElement[] all = t.getStackTrace();
            if (all.length > 0 && all[0].getMethodName().equals(method)) {
                Thread.sleep(50);
                return;
            }
            Thread.sleep(1);
        }
        throw new AssertionError(method + " was not called");
    }

    /** What an act comes to that waits in a native method, when something is done meanwhile. */
    static void waiting(String what, String method, Act act, Act meanwhile) throws Exception {
        Object[] r = new Object[1];
        Thread t = new Thread(() -> r[0] = result(act));
        t.start();
        untilIn(t, method);
        Object m = result(meanwhile);
        t.join();
        System.out.println(what + ": " + r[0] + ", meanwhile " + m);
    }

    /** Two ends of a connection. */
    record Pair(Socket client, Socket server) implements AutoCloseable {
        static Pair open() throws IOException {
            try (ServerSocket s = PlainSockets.server(5)) {
                Socket c = new Socket();
                c.connect(of(s));
                return new Pair(c, s.accept());
            }
        }

        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    static void talk() throws Exception {
        try (ServerSocket s = server(5)) {
            Thread t = new Thread(() -> {
                try (Socket c = s.accept()) {
                    InputStream in = c.getInputStream();
                    OutputStream out = c.getOutputStream();
                    for (int b; (b = in.read()) >= 0; ) out.write(b + 1);
                    out.write("bye".getBytes());
                } catch (IOException e) {
                    System.out.println(e);
                }
            });
            t.start();
            try (Socket c = new Socket(HERE, s.getLocalPort())) {
                System.out.println(c.getPort() == s.getLocalPort());
                System.out.println(c.getLocalPort() > 0);
                System.out.println(c.getLocalAddress() + " " + c.getInetAddress() + " " + s.getInetAddress());
                c.getOutputStream().write(new byte[] {1, 2, 3});
                byte[] b = new byte[10];
                show("three", () -> c.getInputStream().readNBytes(b, 0, 3) + " " + b[0] + b[1] + b[2]);
                show("none", () -> c.getInputStream().read(new byte[0]));
                c.shutdownOutput();
                show("the rest", () -> new String(c.getInputStream().readAllBytes()));
                show("at the end", () -> c.getInputStream().read());
                show("write", () -> {
                    c.getOutputStream();
                    return "a stream";
                });
                System.out.println(c.isConnected() + " " + c.isOutputShutdown() + " " + c.isInputShutdown() + " " + c.isClosed());
            }
            t.join();
        }
    }

    static void amounts() throws Exception {
        try (Pair p = Pair.open()) {
            byte[] much = new byte[5_000_000];
            for (int i = 0; i < much.length; i++) much[i] = (byte) (i * 31 >> 3);
            Thread t = new Thread(() -> show("written", () -> {
                p.client.getOutputStream().write(much);
                p.client.getOutputStream().write(much, 7, 100);
                p.client.shutdownOutput();
                return "all";
            }));
            t.start();
            Thread.sleep(20);
            InputStream in = p.server.getInputStream();
            byte[] room = new byte[200_000];
            long sum = 0;
            int total = 0, most = 0;
            for (int n; (n = in.read(room)) >= 0; total += n) {
                most = Math.max(n, most);
                for (int i = 0; i < n; i++) sum = sum * 31 + room[i];
            }
            t.join();
            System.out.println("read " + total + " " + sum + ", more at once than 128 KB: " + (most > 131072));
        }
        try (Pair p = Pair.open()) {
            p.client.getOutputStream().write(new byte[100]);
            while (p.server.getInputStream().available() < 100) Thread.sleep(1);
            show("available", () -> p.server.getInputStream().available());
            show("skipped", () -> p.server.getInputStream().skip(30));
            show("available", () -> p.server.getInputStream().available());
            p.server.shutdownInput();
            show("available", () -> p.server.getInputStream());
            show("bad range", () -> p.client.getInputStream().read(new byte[3], 1, 3));
            show("bad range", () -> {
                p.client.getOutputStream().write(new byte[3], -1, 3);
                return null;
            });
        }
    }

    static void timeouts() throws Exception {
        try (ServerSocket s = server(5); Pair p = Pair.open()) {
            s.setSoTimeout(60);
            show("accept", s::accept);
            p.server.setSoTimeout(60);
            long before = System.nanoTime();
            show("read", () -> p.server.getInputStream().read());
            long waited = (System.nanoTime() - before) / 1_000_000;
            System.out.println("it waited " + (waited >= 59 && waited < 5000));
            p.client.getOutputStream().write(9);
            show("read", () -> p.server.getInputStream().read());
            show("read", () -> p.server.getInputStream().read(new byte[200_000]));
            p.client.close();
            show("read at the end", () -> p.server.getInputStream().read());
            System.out.println(s.getSoTimeout() + " " + p.server.getSoTimeout());
        }
        try (ServerSocket s = server(5); Socket c = new Socket()) {
            c.connect(of(s), 5000);
            System.out.println("in time " + c.isConnected());
        }
    }

    /** A queue that is full takes no one. */
    static void queues() throws Exception {
        try (ServerSocket s = server(1)) {
            List<Socket> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Socket c = new Socket();
                all.add(c);
                try {
                    c.connect(of(s), 200);
                } catch (IOException e) {
                    System.out.println("connect " + i + ": " + e);
                }
            }
            Socket c = new Socket();
            waiting("connect, closed", "socketConnect", () -> {
                c.connect(of(s));
                return c.isConnected();
            }, () -> {
                c.close();
                return c.isClosed();
            });
            Socket d = new Socket();
            waiting("connect for some time, closed", "socketConnect", () -> {
                d.connect(of(s), 5000);
                return d.isConnected();
            }, () -> {
                d.close();
                return d.isClosed();
            });
            for (Socket e : all) e.close();
        }
    }

    static void failures() throws Exception {
        int nobody;
        try (ServerSocket gone = server(1)) {
            nobody = gone.getLocalPort();
        }
        show("refused", () -> new Socket(HERE, nobody));
        show("refused in time", () -> {
            try (Socket s = new Socket()) {
                s.connect(new InetSocketAddress(HERE, nobody), 1000);
                return s;
            }
        });
        try (ServerSocket s = server(1)) {
            show("taken", () -> new ServerSocket(s.getLocalPort(), 1, HERE));
            show("taken by a client", () -> {
                try (Socket c = new Socket()) {
                    c.bind(of(s));
                    return c;
                }
            });
            show("bound twice", () -> {
                s.bind(null);
                return null;
            });
            show("bound client", () -> {
                try (Socket c = new Socket()) {
                    c.bind(new InetSocketAddress(HERE, 0));
                    int port = c.getLocalPort();
                    c.connect(of(s));
                    return port > 0 && c.getLocalPort() == port && c.getLocalAddress().equals(HERE);
                }
            });
        }
        show("elsewhere", () -> new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1})));
        show("not bound", () -> new ServerSocket().accept());
        show("unresolved", () -> {
            try (Socket s = new Socket()) {
                s.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1));
                return s;
            }
        });
        show("not connected", () -> new Socket().getInputStream());
        Socket c = new Socket();
        c.close();
        show("connect closed", () -> {
            c.connect(new InetSocketAddress(HERE, nobody));
            return c;
        });
        show("option of closed", c::getTcpNoDelay);
        ServerSocket s = server(1);
        s.close();
        show("accept closed", s::accept);
    }

    /** The other side has gone: who closes without having read resets. */
    static void gone() throws Exception {
        try (Pair p = Pair.open()) {
            p.client.getOutputStream().write(1);
            while (p.server.getInputStream().available() < 1) Thread.sleep(1);
            p.server.close();
            Thread.sleep(20);
            show("read reset", () -> p.client.getInputStream().read());
            show("read reset again", () -> p.client.getInputStream().read());
            show("write reset", () -> {
                p.client.getOutputStream().write(1);
                return null;
            });
        }
        try (Pair p = Pair.open()) {
            p.server.setSoLinger(true, 0);
            p.server.close();
            Thread.sleep(20);
            show("available reset", () -> p.client.getInputStream().available());
            show("write reset", () -> {
                p.client.getOutputStream().write(1);
                return null;
            });
            show("read reset", () -> p.client.getInputStream().read());
        }
        try (Pair p = Pair.open()) {
            p.server.close();
            p.client.getOutputStream().write(1);
            Thread.sleep(20);
            show("write to who has gone", () -> {
                p.client.getOutputStream().write(1);
                return null;
            });
            show("urgent to who has gone", () -> {
                p.client.sendUrgentData(1);
                return null;
            });
        }
    }

    static void shut() throws Exception {
        try (Pair p = Pair.open()) {
            p.client.shutdownInput();
            show("read of shut", () -> p.client.getInputStream().read());
            p.client.shutdownOutput();
            show("shut again", () -> {
                p.client.shutdownOutput();
                return null;
            });
            p.client.close();
            show("shut closed", () -> {
                p.client.shutdownInput();
                return null;
            });
        }
        try (Pair p = Pair.open()) {
            InputStream in = p.client.getInputStream();
            OutputStream out = p.client.getOutputStream();
            p.client.close();
            show("read closed", in::read);
            show("available closed", in::available);
            show("write closed", () -> {
                out.write(1);
                return null;
            });
            show("urgent closed", () -> {
                p.client.sendUrgentData(1);
                return null;
            });
        }
    }

    static void closed() throws Exception {
        ServerSocket s = server(5);
        waiting("accept, closed", "socketAccept", s::accept, () -> {
            s.close();
            return s.isClosed();
        });
        ServerSocket timed = server(5);
        timed.setSoTimeout(5000);
        waiting("accept for some time, closed", "socketAccept", timed::accept, () -> {
            timed.close();
            return timed.isClosed();
        });
        for (int timeout : new int[] {0, 5000}) {
            try (Pair p = Pair.open()) {
                p.client.setSoTimeout(timeout);
                waiting("read, closed", "socketRead0", () -> p.client.getInputStream().read(), () -> {
                    p.client.close();
                    return p.client.isClosed();
                });
                show("the other side", () -> p.server.getInputStream().read());
            }
        }
        try (Pair p = Pair.open()) {
            waiting("write, closed", "socketWrite0", () -> {
                p.client.getOutputStream().write(new byte[20_000_000]);
                return "all";
            }, () -> {
                p.client.close();
                return p.client.isClosed();
            });
        }
        try (Pair p = Pair.open()) {
            waiting("read, shut", "socketRead0", () -> p.client.getInputStream().read(), () -> {
                p.client.shutdownInput();
                return "shut";
            });
        }
        try (Pair p = Pair.open()) {
            Thread[] reader = new Thread[1];
            waiting("read, interrupted", "socketRead0", () -> {
                reader[0] = Thread.currentThread();
                return p.client.getInputStream().read() + " " + Thread.interrupted();
            }, () -> {
                reader[0].interrupt();
                Thread.sleep(50);
                p.server.getOutputStream().write(5);
                return "interrupted";
            });
            CountDownLatch both = new CountDownLatch(2);
            List<String> got = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                new Thread(() -> {
                    Object r = result(() -> p.client.getInputStream().read());
                    synchronized (got) {
                        got.add(r.toString());
                    }
                    both.countDown();
                }).start();
            }
            Thread.sleep(100);
            p.client.close();
            both.await();
            System.out.println("two readers: " + got);
        }
    }

    static void urgent() throws Exception {
        try (Pair p = Pair.open()) {
            p.client.getOutputStream().write(new byte[] {1, 2});
            p.client.sendUrgentData(300);
            p.client.getOutputStream().write(3);
            p.client.shutdownOutput();
            show("urgent lost", () -> java.util.Arrays.toString(p.server.getInputStream().readAllBytes()));
        }
        try (Pair p = Pair.open()) {
            p.server.setOOBInline(true);
            p.client.getOutputStream().write(new byte[] {1, 2});
            p.client.sendUrgentData(300);
            p.client.getOutputStream().write(3);
            p.client.shutdownOutput();
            show("urgent in line", () -> java.util.Arrays.toString(p.server.getInputStream().readAllBytes()));
        }
    }

    @SuppressWarnings("unchecked")
    static void options() throws Exception {
        try (ServerSocket s = server(5); Pair p = Pair.open()) {
            Socket c = p.client;
            c.setTcpNoDelay(true);
            c.setKeepAlive(true);
            c.setReuseAddress(true);
            c.setOOBInline(true);
            c.setSoLinger(true, 7);
            c.setTrafficClass(0x10);
            c.setSendBufferSize(20000);
            c.setReceiveBufferSize(20000);
            System.out.println(c.getTcpNoDelay() + " " + c.getKeepAlive() + " " + c.getReuseAddress() + " " + c.getOOBInline() + " " + c.getSoLinger()
                + " " + c.getTrafficClass() + " " + (c.getSendBufferSize() >= 20000) + " " + (c.getReceiveBufferSize() >= 20000));
            c.setSoLinger(false, 0);
            c.setTcpNoDelay(false);
            System.out.println(c.getSoLinger() + " " + c.getTcpNoDelay());
            for (Map.Entry<String, SocketOption<?>> e : named(c.supportedOptions()).entrySet())
                show("client " + e.getKey(), () -> {
                    Object v = c.getOption(e.getValue());
                    return e.getKey().endsWith("BUF") || e.getKey().contains("NAPI") ? "some" : v;
                });
            for (Map.Entry<String, SocketOption<?>> e : named(s.supportedOptions()).entrySet())
                show("server " + e.getKey(), () -> {
                    Object v = s.getOption(e.getValue());
                    return e.getKey().endsWith("BUF") || e.getKey().contains("NAPI") ? "some" : v;
                });
            show("no option of a server", () -> s.setOption(StandardSocketOptions.TCP_NODELAY, true));
            s.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            s.setReuseAddress(false);
            System.out.println(s.getOption(StandardSocketOptions.SO_REUSEPORT) + " " + s.getReuseAddress());
            c.setPerformancePreferences(1, 2, 3);
            c.setOption(jdk.net.ExtendedSocketOptions.TCP_KEEPIDLE, 77);
            System.out.println(c.getOption(jdk.net.ExtendedSocketOptions.TCP_KEEPIDLE));
        }
        // options of a server are those of whom it accepts, where the kernel hands them on
        try (ServerSocket s = new ServerSocket()) {
            System.out.println(s.getReuseAddress() + " " + s.getLocalPort() + " " + s.getInetAddress());
            s.setReceiveBufferSize(30000);
            s.bind(new InetSocketAddress(0));
            System.out.println(s.getReceiveBufferSize() >= 30000);
            System.out.println(s.getInetAddress() + " " + s.toString().toLowerCase(Locale.ROOT).startsWith("serversocket[addr="));
            try (Socket six = new Socket()) {
                six.connect(new InetSocketAddress(HERE, s.getLocalPort()));
                try (Socket other = s.accept()) {
                    System.out.println(other.getInetAddress() + " " + (other.getPort() == six.getLocalPort()) + " " + other.getLocalAddress());
                    System.out.println(other.getLocalPort() == s.getLocalPort());
                }
            }
        }
    }

    static Map<String, SocketOption<?>> named(Iterable<SocketOption<?>> all) {
        Map<String, SocketOption<?>> m = new TreeMap<>();
        for (SocketOption<?> o : all) m.put(o.name(), o);
        return m;
    }

    /** Sockets that nobody closes are closed when nobody has them. */
    static void forgotten() throws Exception {
        try (ServerSocket s = server(50)) {
            new Socket(HERE, s.getLocalPort()).getOutputStream().write(1);
            try (Socket c = s.accept()) {
                c.setSoTimeout(50);
                int last = c.getInputStream().read();
                for (int i = 0; i < 200 && last >= 0; i++) {
                    System.gc();
                    try {
                        last = c.getInputStream().read();
                    } catch (IOException e) {
                        // not yet
                    }
                }
                System.out.println("forgotten: " + last);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        talk();
        amounts();
        timeouts();
        failures();
        shut();
        closed();
        urgent();
        options();
        forgotten();
        // sockets in memory have queues without end, and say at once that nobody reads
        if (Boolean.getBoolean("memory")) return;
        queues();
        gone();
    }
}
