import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.security.SecureRandom;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;

/** What a program is answered from outside: each part prints it. */
public class Answers {
    interface Part {
        void run() throws Exception;
    }

    static final Map<String, Part> PARTS = new LinkedHashMap<>();
    static Path dir;

    static {
        PARTS.put("clock", Answers::clock);
        PARTS.put("random", Answers::random);
        PARTS.put("system", Answers::system);
        PARTS.put("input", Answers::input);
        PARTS.put("files", Answers::files);
        PARTS.put("mapped", Answers::mapped);
        PARTS.put("sockets", Answers::sockets);
        PARTS.put("selector", Answers::selector);
        PARTS.put("datagrams", Answers::datagrams);
        PARTS.put("processes", Answers::processes);
        PARTS.put("threads", Answers::threads);
        PARTS.put("watched", Answers::watched);
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "all" -> {
                dir = Path.of(args[1]);
                for (var e : PARTS.entrySet()) {
                    System.out.println(e.getKey());
                    e.getValue().run();
                }
                System.err.println("standard error too");
                System.exit(7);
            }
            case "hook" -> hook();
            case "compute" -> compute();
            default -> {
                dir = Path.of(args[1]);
                PARTS.get(args[0]).run();
            }
        }
    }

    static void clock() throws Exception {
        long a = System.nanoTime();
        Thread.sleep(3);
        System.out.println(a + " " + (System.nanoTime() - a) + " " + System.currentTimeMillis());
        System.out.println(Instant.now() + " " + ZonedDateTime.now());
        var bean = java.lang.management.ManagementFactory.getThreadMXBean();
        System.out.println(bean.getCurrentThreadCpuTime());
    }

    static void random() {
        System.out.println(new SecureRandom().nextLong() + " " + Math.random() + " " + UUID.randomUUID());
        System.out.println(ThreadLocalRandom.current().nextInt() + " " + new Random().nextInt());
    }

    static void system() throws Exception {
        System.out.println(ProcessHandle.current().pid() + " " + Runtime.getRuntime().availableProcessors());
        System.out.println(System.getenv("HOME") + " " + System.getProperty("user.dir") + " " + System.getenv().size());
        System.out.println(InetAddress.getLocalHost().getHostName() + " " + TimeZone.getDefault().getID());
        System.out.println(ProcessHandle.current().info().startInstant().isPresent());
        var os = (com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        System.out.println(os.getTotalMemorySize() + " " + os.getFreeMemorySize());
    }

    static void input() throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            System.out.println("read " + line);
        }
    }

    static void files() throws Exception {
        Path file = dir.resolve("made.txt");
        System.out.println(Files.readString(dir.resolve("given.txt")));
        Files.writeString(file, "one\ntwo\n");
        Files.writeString(file, "three\n", StandardOpenOption.APPEND);
        System.out.println(Files.readAllLines(file) + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
        try (var f = new RandomAccessFile(file.toFile(), "rw")) {
            f.seek(4);
            f.write("TWO".getBytes());
            f.seek(0);
            System.out.println(f.readLine() + f.readLine() + f.length());
            try (FileLock lock = f.getChannel().lock()) {
                System.out.println(lock.isValid());
            }
        }
        Files.createDirectory(dir.resolve("sub"));
        Files.createSymbolicLink(dir.resolve("link"), Path.of("made.txt"));
        Files.move(file, dir.resolve("sub/moved.txt"));
        try (var list = Files.walk(dir)) {
            list.forEach(p -> System.out.println(dir.relativize(p)));
        }
        System.out.println(Files.readAttributes(dir.resolve("sub/moved.txt"), PosixFileAttributes.class).permissions());
        try {
            Files.readString(dir.resolve("missing"));
        } catch (NoSuchFileException e) {
            System.out.println("missing " + new File(e.getFile()).getName());
        }
        Files.delete(dir.resolve("link"));
        System.out.println(Files.getFileStore(dir).getTotalSpace() > 0);
        byte[] big = new byte[300_000];
        new Random(1).nextBytes(big);
        Files.write(dir.resolve("big"), big);
        System.out.println(Arrays.equals(Files.readAllBytes(dir.resolve("big")), big));
        try (var from = FileChannel.open(dir.resolve("big"));
                var to = FileChannel.open(dir.resolve("copy"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            System.out.println(from.transferTo(0, big.length, to));
        }
    }

    static void mapped() throws Exception {
        Path file = dir.resolve("mapped");
        Files.write(file, new byte[10_000]);
        try (var c = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer a = c.map(FileChannel.MapMode.READ_WRITE, 0, 10_000);
            MappedByteBuffer b = c.map(FileChannel.MapMode.READ_ONLY, 0, 10_000);
            MappedByteBuffer own = c.map(FileChannel.MapMode.PRIVATE, 0, 10_000);
            System.out.println(b.getInt(4094));
            // through one mapping, seen through the other
            a.putInt(4094, 0x01020304);
            System.out.println(Integer.toHexString(b.getInt(4094)) + " " + own.get(4094));
            // through the file, seen through both
            c.write(ByteBuffer.wrap("written".getBytes()), 5000);
            byte[] text = new byte[7];
            b.get(5000, text);
            System.out.println(new String(text) + (char) a.get(5006));
            own.put(0, (byte) 9);
            System.out.println(own.get(0) + " " + b.get(0));
            a.force();
            System.out.println(a.isLoaded() || true);
            ByteBuffer read = ByteBuffer.allocate(4);
            c.read(read, 4094);
            System.out.println(Arrays.toString(read.array()));
            // by another process
            new ProcessBuilder("sh", "-c", "printf other | dd of=mapped bs=1 seek=7000 conv=notrunc 2>/dev/null")
                .directory(dir.toFile()).start().waitFor();
            b.get(7000, text, 0, 5);
            System.out.println(new String(text, 0, 5));
            // cut
            c.truncate(4096);
            try {
                System.out.println(b.get(9000));
            } catch (InternalError e) {
                System.out.println("cut");
            }
        }
    }

    static void sockets() throws Exception {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            System.out.println("port " + server.getLocalPort());
            var answering = new Thread(() -> {
                try {
                    for (int i = 0; i < 3; i++) {
                        try (Socket s = server.accept()) {
                            var in = new BufferedReader(new InputStreamReader(s.getInputStream()));
                            s.getOutputStream().write(("echo " + in.readLine() + " from " + s.getPort() + "\n").getBytes());
                        }
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            answering.start();
            for (int i = 0; i < 3; i++) {
                try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    s.setSoTimeout(20_000);
                    s.getOutputStream().write(("hello " + i + "\n").getBytes());
                    System.out.println(new String(s.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim());
                }
            }
            answering.join();
        }
        try {
            new Socket("127.0.0.1", 1).close();
        } catch (ConnectException e) {
            System.out.println(e.getMessage());
        }
    }

    static void selector() throws Exception {
        try (var selector = Selector.open(); var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress("127.0.0.1", 0)).configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            var client = SocketChannel.open(server.getLocalAddress());
            client.write(ByteBuffer.wrap("through a selector".getBytes()));
            client.shutdownOutput();
            var text = new StringBuilder();
            boolean open = true;
            while (open) {
                selector.select(5000);
                for (var it = selector.selectedKeys().iterator(); it.hasNext(); ) {
                    SelectionKey key = it.next();
                    it.remove();
                    if (key.isAcceptable()) {
                        server.accept().configureBlocking(false).register(selector, SelectionKey.OP_READ);
                    } else {
                        ByteBuffer b = ByteBuffer.allocate(5);
                        open = ((SocketChannel) key.channel()).read(b) >= 0;
                        text.append(new String(b.array(), 0, b.position()));
                    }
                }
            }
            System.out.println(text);
            client.close();
        }
    }

    static void datagrams() throws Exception {
        try (var a = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                var b = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            a.send(new DatagramPacket("datagram".getBytes(), 8, b.getLocalSocketAddress()));
            var got = new DatagramPacket(new byte[20], 20);
            b.setSoTimeout(10_000);
            b.receive(got);
            System.out.println(new String(got.getData(), 0, got.getLength()) + " " + (got.getPort() == a.getLocalPort()));
        }
    }

    static void processes() throws Exception {
        Process p = new ProcessBuilder("sh", "-c", "read line; echo got $line; echo $$ >&2; exit 3").start();
        p.getOutputStream().write("word\n".getBytes());
        p.getOutputStream().close();
        System.out.println(new String(p.getInputStream().readAllBytes()).trim());
        System.out.println(new String(p.getErrorStream().readAllBytes()).trim() + " " + p.pid() + " " + p.waitFor());
    }

    static void threads() throws Exception {
        var pool = Executors.newScheduledThreadPool(3);
        var order = new ConcurrentLinkedQueue<String>();
        for (int i = 0; i < 6; i++) {
            int n = i;
            pool.schedule(() -> order.add(n + " at " + System.nanoTime()), 5 - n % 3 * 2, TimeUnit.MILLISECONDS);
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(20, TimeUnit.SECONDS) + " " + order);
    }

    static void watched() throws Exception {
        try (WatchService w = FileSystems.getDefault().newWatchService()) {
            dir.register(w, StandardWatchEventKinds.ENTRY_CREATE);
            Files.writeString(dir.resolve("appears"), "");
            WatchKey key = w.poll(10, TimeUnit.SECONDS);
            System.out.println(key.pollEvents().get(0).context());
        }
    }

    static volatile long rounds;

    /** Computes until SIGTERM comes, and says how far it was. */
    static void hook() throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook after " + rounds)));
        System.out.println("ready");
        while (true) {
            rounds++;
        }
    }

    /** Computes for ever and says so now and then. */
    static void compute() {
        for (long i = 0; ; i++) {
            rounds = i * i;
            if (i % 1_000_000 == 0) {
                System.out.println("round " + i + " at " + System.nanoTime());
            }
        }
    }
}
