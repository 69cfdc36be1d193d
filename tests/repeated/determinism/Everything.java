import java.io.*;
import java.lang.management.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.security.SecureRandom;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads everything that differs between machines, users, folders and moments, and prints it. */
public class Everything {
    static void show(String what, Object value) {
        System.out.println(what + ": " + value);
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static void main(String[] args) throws Exception {
        time();
        random();
        surroundings();
        machine();
        files();
        processes();
        threads();
        network();
        datagrams();
        pipes();
        input();
        show("time", System.nanoTime() + " " + Instant.now());
    }

    static void time() {
        show("millis", System.currentTimeMillis());
        show("nanos", System.nanoTime());
        show("now", ZonedDateTime.now() + " " + new Date() + " " + TimeZone.getDefault().getID());
        show("uptime", ManagementFactory.getRuntimeMXBean().getUptime());
        show("started", ManagementFactory.getRuntimeMXBean().getStartTime());
        show("cpu", ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    static void random() throws Exception {
        show("secure", new SecureRandom().nextLong());
        show("strong", SecureRandom.getInstanceStrong().nextLong());
        show("seed", hex(new SecureRandom().generateSeed(16)));
        show("uuid", UUID.randomUUID());
        show("math", Math.random());
        show("random", new Random().nextLong() + " " + new SplittableRandom().nextLong());
        show("local", ThreadLocalRandom.current().nextLong());
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
        Collections.shuffle(list);
        show("shuffled", list);
        show("set", Set.of("a", "b", "c", "d", "e") + " " + Map.of("k", 1, "l", 2, "m", 3));
        show("hash", new Object() + " " + System.identityHashCode(String.class));
        for (String device : new String[] {"/dev/random", "/dev/urandom"}) {
            try (InputStream in = new FileInputStream(device)) {
                show(device, hex(in.readNBytes(16)));
            }
        }
        Runnable lambda = () -> { };
        show("lambda", lambda.getClass().getName());
    }

    static void surroundings() throws Exception {
        show("environment", new TreeMap<>(System.getenv()));
        show("order", System.getenv().keySet());
        Properties properties = System.getProperties();
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            show(name, properties.getProperty(name).replace("\n", "\\n"));
        }
        show("locale", Locale.getDefault() + " " + java.nio.charset.Charset.defaultCharset());
        show("folder", new File("").getAbsolutePath() + " " + Path.of("").toAbsolutePath().toRealPath());
        show("console", System.console());
    }

    static void machine() throws Exception {
        Runtime r = Runtime.getRuntime();
        show("memory", r.totalMemory() + " " + r.freeMemory() + " " + r.maxMemory() + " " + r.availableProcessors());
        com.sun.management.OperatingSystemMXBean os =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        show("system", os.getName() + " " + os.getVersion() + " " + os.getArch() + " " + os.getSystemLoadAverage() + " "
            + os.getTotalMemorySize() + " " + os.getFreeMemorySize() + " " + os.getFreeSwapSpaceSize() + " "
            + os.getCommittedVirtualMemorySize() + " " + os.getCpuLoad() + " " + os.getProcessCpuTime());
        com.sun.management.UnixOperatingSystemMXBean unix = (com.sun.management.UnixOperatingSystemMXBean) os;
        show("descriptors", unix.getOpenFileDescriptorCount() + " of " + unix.getMaxFileDescriptorCount());
        show("arguments", ManagementFactory.getRuntimeMXBean().getName() + " "
            + ManagementFactory.getThreadMXBean().getThreadCount());
        for (String file : new String[] {"/proc/meminfo", "/proc/loadavg", "/proc/cpuinfo", "/proc/self/mounts",
                "/proc/self/stat", "/proc/self/maps", "/proc/uptime", "/sys/fs/cgroup/memory.max", "/etc/mtab"}) {
            String text;
            try {
                text = Files.readString(Path.of(file)).replace("\n", "|");
            } catch (IOException e) {
                text = e.toString();
            }
            show(file, text);
        }
        show("/proc", Arrays.toString(new File("/proc").list()));
        File here = new File(".");
        show("space", here.getTotalSpace() + " " + here.getFreeSpace() + " " + here.getUsableSpace());
        FileStore store = Files.getFileStore(Path.of("."));
        show("store", store + " " + store.type() + " " + store.getUnallocatedSpace() + " " + store.getBlockSize());
        ByteBuffer direct = ByteBuffer.allocateDirect(1000);
        show("direct", direct.alignmentOffset(0, 8) + " " + direct);
    }

    static void describe(Path file) throws IOException {
        Map<String, Object> all = new TreeMap<>(Files.readAttributes(file, "unix:*", LinkOption.NOFOLLOW_LINKS));
        show("  " + file, all);
    }

    static void files() throws Exception {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("in"))) {
            for (Path file : all) {
                describe(file);
            }
        }
        show("list", Arrays.toString(new File("in").list()));
        try (var walk = Files.walk(Path.of("in"))) {
            show("walk", walk.toList());
        }
        Path dir = Files.createTempDirectory("everything");
        show("temporary", dir + " " + File.createTempFile("abc", null) + " "
            + Arrays.toString(new File(System.getProperty("java.io.tmpdir")).list()));
        Path file = dir.resolve("file");
        Files.writeString(file, "text");
        describe(file);
        Thread.sleep(1500);
        Files.writeString(file, "more", StandardOpenOption.APPEND);
        describe(file);
        describe(dir);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1234567890123L));
        show("set", file.toFile().lastModified());
        Path moved = Files.move(file, dir.resolve("moved"));
        describe(moved);
        show("real", moved.toRealPath() + " " + moved.toFile().getCanonicalPath());
        Files.createSymbolicLink(dir.resolve("link"), moved);
        show("link", Files.readSymbolicLink(dir.resolve("link")) + " " + dir.resolve("link").toRealPath());
        show("home", Arrays.toString(new File(System.getProperty("user.home")).list()));
        Files.delete(moved);
        Files.writeString(moved, "again");
        describe(moved);
        show("readable", Files.isReadable(moved) + " " + Files.isWritable(moved) + " " + Files.isExecutable(moved));
        Path made = Path.of("made.txt");
        Files.writeString(made, "made");
        describe(made);
        show("key", Files.readAttributes(made, BasicFileAttributes.class).fileKey());
        Files.delete(made);
    }

    static void processes() throws Exception {
        ProcessHandle own = ProcessHandle.current();
        show("process", own.pid() + " " + own.parent().map(ProcessHandle::pid) + " " + own.info() + " "
            + own.info().startInstant() + " " + own.info().user());
        show("all", ProcessHandle.allProcesses().map(ProcessHandle::pid).toList());
        Process p = new ProcessBuilder("/bin/sh", "-c", "read a; echo got $a; echo $USER $TZ $LANG; cat; exit 3").start();
        show("child", p.pid() + " " + p.info().startInstant());
        try (Writer w = p.outputWriter()) {
            w.write("one\ntwo\nthree\n");
        }
        try (BufferedReader r = p.inputReader()) {
            r.lines().forEach(line -> show("  it said", line));
        }
        show("exit", p.waitFor() + " " + p.waitFor(1, TimeUnit.SECONDS));
    }

    static void threads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger ticks = new AtomicInteger();
        timer.scheduleAtFixedRate(() -> log.add("tick " + ticks.incrementAndGet()), 3, 7, TimeUnit.MILLISECONDS);
        CountDownLatch done = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            int n = i;
            pool.submit(() -> {
                Thread.sleep(ThreadLocalRandom.current().nextInt(30));
                log.add("task " + n + " " + Thread.currentThread().getName());
                done.countDown();
                return null;
            });
        }
        done.await();
        timer.shutdownNow();
        pool.shutdown();
        show("log", log + " " + pool.awaitTermination(1, TimeUnit.SECONDS));
    }

    static void network() throws Exception {
        show("host", InetAddress.getLocalHost() + " " + InetAddress.getByName("localhost") + " "
            + InetAddress.getLoopbackAddress().getCanonicalHostName());
        for (NetworkInterface i : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            show("interface", i + " " + i.getInterfaceAddresses() + " " + i.getMTU());
        }
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            show("port", server.getLocalPort());
            Thread t = new Thread(() -> {
                try (Socket s = server.accept()) {
                    byte[] buf = new byte[10_000];
                    StringBuilder sizes = new StringBuilder();
                    for (int n; (n = s.getInputStream().read(buf)) > 0; ) {
                        sizes.append(n).append(' ');
                    }
                    s.getOutputStream().write((sizes + "from " + s.getPort()).getBytes());
                } catch (IOException e) {
                    show("server", e);
                }
            });
            t.start();
            try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
                s.setSoTimeout(60_000);
                show("ports", s.getLocalPort() + " " + s.getReceiveBufferSize() + " " + s.getTcpNoDelay());
                for (int i = 0; i < 300; i++) {
                    s.getOutputStream().write(new byte[i * 7]);
                }
                s.shutdownOutput();
                show("sizes", new String(s.getInputStream().readAllBytes()));
            }
            t.join();
        }
        Selector selector = Selector.open();
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("localhost", 0));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        Thread client = new Thread(() -> {
            try {
                List<SocketChannel> all = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    SocketChannel c = SocketChannel.open(server.getLocalAddress());
                    c.write(ByteBuffer.wrap(("hello " + i).getBytes()));
                    all.add(c);
                }
                for (SocketChannel c : all) {
                    c.close();
                }
            } catch (IOException e) {
                show("client", e);
            }
        });
        client.start();
        int open = 0;
        StringBuilder order = new StringBuilder();
        ByteBuffer buf = ByteBuffer.allocate(100);
        for (int closed = 0; closed < 10; ) {
            int n = selector.select(5000);
            order.append('[').append(n);
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    SocketChannel c = server.accept();
                    c.configureBlocking(false);
                    c.register(selector, SelectionKey.OP_READ, open++);
                } else {
                    int got = ((SocketChannel) key.channel()).read(buf.clear());
                    order.append(' ').append(key.attachment()).append(':').append(got);
                    if (got < 0) {
                        key.channel().close();
                        closed++;
                    }
                }
            }
            selector.selectedKeys().clear();
            order.append(']');
        }
        show("order", order);
        selector.close();
        server.close();
        try {
            new Socket("localhost", 40000).close();
        } catch (ConnectException e) {
            show("refused", e.getMessage());
        }
        try (ServerSocket s = new ServerSocket(0)) {
            s.setSoTimeout(500);
            long from = System.nanoTime();
            try {
                s.accept();
            } catch (SocketTimeoutException e) {
                show("accept", e.getMessage() + " " + (System.nanoTime() - from));
            }
        }
    }

    static void datagrams() throws Exception {
        try (DatagramSocket a = new DatagramSocket(0, InetAddress.getLoopbackAddress());
             DatagramSocket b = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 3; i++) {
                byte[] data = ("packet " + i).getBytes();
                a.send(new DatagramPacket(data, data.length, b.getLocalSocketAddress()));
            }
            DatagramPacket p = new DatagramPacket(new byte[100], 100);
            for (int i = 0; i < 3; i++) {
                b.receive(p);
                show("datagram", new String(p.getData(), 0, p.getLength()) + " " + p.getSocketAddress());
            }
            b.setSoTimeout(100);
            try {
                b.receive(p);
            } catch (SocketTimeoutException e) {
                show("none", e.getMessage());
            }
        }
    }

    static void pipes() throws Exception {
        Pipe pipe = Pipe.open();
        Thread t = new Thread(() -> {
            try (Pipe.SinkChannel sink = pipe.sink()) {
                for (int i = 0; i < 50; i++) {
                    sink.write(ByteBuffer.allocate(i * 300));
                }
            } catch (IOException e) {
                show("sink", e);
            }
        });
        t.start();
        StringBuilder sizes = new StringBuilder();
        ByteBuffer buf = ByteBuffer.allocate(20_000);
        for (int n; (n = pipe.source().read(buf.clear())) >= 0; ) {
            sizes.append(n).append(' ');
        }
        show("pipe", sizes);
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(file));
            try (SocketChannel c = SocketChannel.open(UnixDomainSocketAddress.of(file)); SocketChannel s = server.accept()) {
                c.write(ByteBuffer.wrap("unix".getBytes()));
                s.read(buf.clear());
                show("unix", new String(buf.array(), 0, buf.position(), StandardCharsets.UTF_8) + " " + s.getLocalAddress());
            }
        }
    }

    static void input() throws Exception {
        show("available", System.in.available() > 0);
        byte[] buf = new byte[1000];
        for (int n; (n = System.in.read(buf)) > 0; ) {
            show("read", n + " " + new String(buf, 0, n).trim());
        }
    }
}
