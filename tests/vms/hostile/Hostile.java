import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.prefs.Preferences;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Tries to reach what it was not granted, by every way there is. Each attempt prints what became of it: the exception, or
 * "REACHED" and what was found.
 */
public class Hostile {
    interface Attempt {
        Object run() throws Throwable;
    }

    static final String SECRET = System.getProperty("hostile.secret", "/etc/passwd");

    static final sun.misc.Unsafe unsafe;

    static {
        try {
            java.lang.reflect.Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            unsafe = (sun.misc.Unsafe) f.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static void attempt(String name, Attempt attempt) {
        String outcome;
        try {
            outcome = "REACHED " + attempt.run();
        } catch (Throwable t) {
            Throwable cause = t.getCause();
            outcome = t.getClass().getName() + ": " + t.getMessage()
                + (cause == null || cause == t ? "" : " <- " + cause.getClass().getName() + ": " + cause.getMessage());
        }
        System.out.println(name + " -> " + outcome);
    }

    /** A refusal that is a return value: printed as it is. */
    static void ask(String name, Attempt question) {
        String answer;
        try {
            answer = String.valueOf(question.run());
        } catch (Throwable t) {
            answer = "threw " + t;
        }
        System.out.println(name + " = " + answer);
    }

    // --- files ------------------------------------------------------------------------------------

    static String first(InputStream in) throws IOException {
        try (in) {
            return new String(in.readNBytes(10), StandardCharsets.ISO_8859_1);
        }
    }

    static String map(String path) throws IOException {
        try (FileChannel c = FileChannel.open(Path.of(path))) {
            return "" + c.map(FileChannel.MapMode.READ_ONLY, 0, 10).get(0);
        }
    }

    static void read(String what, String path) {
        attempt(what + " FileInputStream", () -> first(new FileInputStream(path)));
        attempt(what + " RandomAccessFile", () -> new RandomAccessFile(path, "r").read());
        attempt(what + " FileReader", () -> new FileReader(path).read());
        attempt(what + " Scanner", () -> new Scanner(new File(path)).next());
        attempt(what + " Files.readString", () -> Files.readString(Path.of(path)));
        attempt(what + " Files.lines", () -> Files.lines(Path.of(path)).count());
        attempt(what + " Files.newByteChannel", () -> Files.newByteChannel(Path.of(path)).size());
        attempt(what + " AsynchronousFileChannel", () -> AsynchronousFileChannel.open(Path.of(path)).size());
        attempt(what + " FileChannel.map", () -> map(path));
        attempt(what + " Files.copy", () -> Files.copy(Path.of(path), OutputStream.nullOutputStream()));
        attempt(what + " Files.size", () -> Files.size(Path.of(path)));
        attempt(what + " toRealPath", () -> Path.of(path).toRealPath());
        attempt(what + " attributes", () -> Files.readAttributes(Path.of(path), "*"));
        attempt(what + " owner", () -> Files.getOwner(Path.of(path)));
        attempt(what + " file store", () -> Files.getFileStore(Path.of(path)));
        attempt(what + " ZipFile", () -> new ZipFile(path).size());
        attempt(what + " URL", () -> first(new URL("file:" + path).openStream()));
        attempt(what + " URLClassLoader", () -> {
            URL[] urls = {new URL("file:/")};
            try (URLClassLoader l = new URLClassLoader(urls)) {
                return first(l.getResource(path.substring(1)).openStream());
            }
        });
        attempt(what + " FileOutputStream", () -> {
            new FileOutputStream(path).close();
            return "";
        });
        attempt(what + " appending", () -> {
            new FileOutputStream(path, true).close();
            return "";
        });
        attempt(what + " Files.write", () -> Files.write(Path.of(path), new byte[1]));
        attempt(what + " delete", () -> {
            Files.delete(Path.of(path));
            return "";
        });
        attempt(what + " move", () -> Files.move(Path.of(path), Path.of("/stolen")));
        attempt(what + " hard link", () -> Files.createLink(Path.of("/linked"), Path.of(path)));
        attempt(what + " permissions", () ->
            Files.setPosixFilePermissions(Path.of(path), PosixFilePermissions.fromString("rwxrwxrwx")));
        attempt(what + " time", () -> Files.setLastModifiedTime(Path.of(path), FileTime.fromMillis(0)));
        attempt(what + " zip file system", () -> FileSystems.newFileSystem(Path.of(path)));
        attempt(what + " JarURLConnection", () -> first(new URL("jar:file:" + path + "!/x").openStream()));
        attempt(what + " watch", () -> {
            try (WatchService w = FileSystems.getDefault().newWatchService()) {
                return Path.of(path).getParent().register(w, StandardWatchEventKinds.ENTRY_CREATE);
            }
        });
        ask(what + " exists", () -> new File(path).exists());
        ask(what + " length", () -> new File(path).length());
        ask(what + " canRead", () -> new File(path).canRead());
        ask(what + " File.delete", () -> new File(path).delete());
        ask(what + " renameTo", () -> new File(path).renameTo(new File("/stolen")));
        ask(what + " setLastModified", () -> new File(path).setLastModified(0));
        ask(what + " list", () -> new File(path).getParentFile().list());
        ask(what + " notExists", () -> Files.notExists(Path.of(path)));
        ask(what + " space", () -> new File(path).getTotalSpace());
        ask(what + " system class path", () -> ClassLoader.getSystemResource(path));
    }

    /** Nothing is granted. */
    public static int files() {
        // before anything has been opened
        attempt("made-up descriptor", () -> {
            long at = unsafe.objectFieldOffset(FileDescriptor.class.getDeclaredField("fd"));
            FileDescriptor d = new FileDescriptor();
            for (int n = 0; n < 1000; n++) {
                unsafe.putInt(d, at, n == 1 || n == 2 ? 0 : n);
                try {
                    return n + " " + new FileInputStream(d).read();
                } catch (IOException e) {
                    // not open
                }
            }
            throw new IOException("none is open");
        });
        read("secret", SECRET);
        attempt("list /", () -> Files.list(Path.of("/")).toList());
        attempt("temporary file", () -> File.createTempFile("abc", "d"));
        attempt("relative", () -> first(new FileInputStream("x")));
        attempt("/proc/self/mem", () -> first(new FileInputStream("/proc/self/mem")));
        attempt("/proc/self/environ", () -> Files.readString(Path.of("/proc/self/environ")));
        attempt("/proc/self/fd", () -> Files.list(Path.of("/proc/self/fd")).count());
        attempt("/proc/self/root", () -> Files.readString(Path.of("/proc/self/root" + SECRET)));
        attempt("/dev/tty", () -> new FileOutputStream("/dev/tty"));
        attempt("/dev/../..", () -> Files.readString(Path.of("/dev/../.." + SECRET)));
        attempt("java.home/..", () -> Files.readString(Path.of(System.getProperty("java.home") + "/../../../../.." + SECRET)));
        attempt("java.home is changed", () -> new FileOutputStream(System.getProperty("java.home") + "/new"));
        return 0;
    }

    /** Below /in something can be read, below /out written, and the root is in memory. */
    public static int mounts() throws Exception {
        String[] ways = {
            "/in/.." + SECRET, "/in/../../.." + SECRET, "/out/sub/../../.." + SECRET, "/in/absolute", "/in/relative",
            "/in/folder" + SECRET, "/in/proc/self/root" + SECRET, "/in/self" + SECRET, "/in//./../" + SECRET,
        };
        for (String way : ways) {
            attempt("way " + way.replace(SECRET, "$"), () -> first(new FileInputStream(way)));
        }
        for (String target : new String[] {SECRET, "../../../../../.." + SECRET, "/proc/self/root" + SECRET, "/"}) {
            String shown = target.replace(SECRET, "$");
            Path link = Path.of("/out/link");
            attempt("make link to " + shown, () -> Files.createSymbolicLink(link, Path.of(target)));
            Path through = target.equals("/") ? Path.of("/out/link" + SECRET) : link;
            attempt("through link to " + shown, () -> Files.readString(through));
            attempt("write through link to " + shown, () -> {
                Files.write(through, new byte[1], StandardOpenOption.WRITE);
                return "";
            });
            attempt("remove link to " + shown, () -> {
                Files.delete(link);
                return "";
            });
        }
        attempt("read-only write", () -> new FileOutputStream("/in/file.txt"));
        attempt("read-only create", () -> new FileOutputStream("/in/new.txt"));
        attempt("read-only delete", () -> {
            Files.delete(Path.of("/in/file.txt"));
            return "";
        });
        attempt("read-only rename", () -> Files.move(Path.of("/in/file.txt"), Path.of("/in/renamed.txt")));
        attempt("read-only mkdir", () -> Files.createDirectory(Path.of("/in/new")));
        attempt("read-only link out of it", () -> Files.createLink(Path.of("/out/linked"), Path.of("/in/file.txt")));
        attempt("read-only link into it", () -> Files.createSymbolicLink(Path.of("/in/link"), Path.of("x")));
        attempt("read-only permissions", () ->
            Files.setPosixFilePermissions(Path.of("/in/file.txt"), PosixFilePermissions.fromString("rwxrwxrwx")));
        attempt("read-only time", () -> Files.setLastModifiedTime(Path.of("/in/file.txt"), FileTime.fromMillis(0)));
        attempt("read-only attribute", () -> {
            UserDefinedFileAttributeView v =
                Files.getFileAttributeView(Path.of("/in/file.txt"), UserDefinedFileAttributeView.class);
            return v.write("x", ByteBuffer.allocate(1));
        });
        attempt("read-only mapped for writing", () -> {
            try (FileChannel c = FileChannel.open(Path.of("/in/file.txt"), StandardOpenOption.READ)) {
                return c.map(FileChannel.MapMode.READ_WRITE, 0, 1);
            }
        });
        attempt("read-only truncated", () -> {
            try (FileChannel c = FileChannel.open(Path.of("/in/file.txt"), StandardOpenOption.READ)) {
                return c.truncate(0);
            }
        });
        attempt("pipe", () -> first(new FileInputStream("/in/pipe")));
        attempt("socket", () -> first(new FileInputStream("/in/socket")));
        attempt("set-user-id", () -> Files.setAttribute(Path.of("/out/file.txt"), "unix:mode", 0104755));
        ask("mode", () -> Integer.toOctalString((Integer) Files.getAttribute(Path.of("/out/file.txt"), "unix:mode")));
        attempt("owner", () -> Files.setAttribute(Path.of("/out/file.txt"), "unix:uid", 12345));
        attempt("a mount removed", () -> {
            Files.delete(Path.of("/out"));
            return "";
        });
        attempt("a mount moved", () -> Files.move(Path.of("/in"), Path.of("/moved")));
        attempt("across mounts", () -> Files.createLink(Path.of("/linked"), Path.of("/out/file.txt")));
        attempt("secure directory stream", () -> {
            try (DirectoryStream<Path> d = Files.newDirectoryStream(Path.of("/out"))) {
                SecureDirectoryStream<Path> s = (SecureDirectoryStream<Path>) d;
                return s.newByteChannel(Path.of("../../../.." + SECRET), Set.of(StandardOpenOption.READ)).size();
            }
        });
        // and what is granted works
        ask("granted read", () -> Files.readString(Path.of("/in/file.txt")));
        ask("granted link inside", () -> Files.readString(Path.of("/in/inside")));
        ask("granted write", () -> Files.readString(Files.writeString(Path.of("/out/made.txt"), "made")));
        ask("granted in memory", () -> Files.readString(Files.writeString(Path.of("/mine.txt"), "mine")));
        ask("granted move from memory", () -> Files.readString(Files.move(Path.of("/mine.txt"), Path.of("/out/moved.txt"))));
        ask("granted list", () -> Stream.of(new File("/out").list()).sorted().toList());
        return 0;
    }

    // --- network ----------------------------------------------------------------------------------

    public static int network() {
        InetAddress far = address(192, 0, 2, 1);
        InetAddress near = address(127, 0, 0, 1);
        for (InetAddress a : new InetAddress[] {far, near}) {
            String what = a == far ? "far " : "near ";
            attempt(what + "Socket", () -> new Socket(a, 9));
            attempt(what + "SocketChannel", () -> SocketChannel.open(new InetSocketAddress(a, 9)));
            attempt(what + "ServerSocket", () -> new ServerSocket(0, 1, a));
            attempt(what + "ServerSocketChannel", () ->
                ServerSocketChannel.open().bind(new InetSocketAddress(a, 0)));
            attempt(what + "DatagramSocket", () -> {
                try (DatagramSocket s = new DatagramSocket()) {
                    s.send(new DatagramPacket(new byte[1], 1, a, 9));
                    return s.isBound();
                }
            });
            attempt(what + "DatagramChannel", () ->
                DatagramChannel.open().send(ByteBuffer.allocate(1), new InetSocketAddress(a, 9)));
            attempt(what + "AsynchronousSocketChannel", () ->
                AsynchronousSocketChannel.open().connect(new InetSocketAddress(a, 9)).get());
            attempt(what + "URL", () -> first(new URL("http://" + a.getHostAddress() + ":9/").openStream()));
        }
        attempt("any ServerSocket", () -> new ServerSocket(0));
        attempt("multicast", () -> {
            MulticastSocket s = new MulticastSocket();
            s.joinGroup(new InetSocketAddress(address(224, 0, 0, 1), 0), null);
            return s;
        });
        attempt("unix socket", () -> {
            SocketChannel c = SocketChannel.open(StandardProtocolFamily.UNIX);
            return c.connect(UnixDomainSocketAddress.of("/run/docker.sock"));
        });
        attempt("unix server", () -> ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            .bind(UnixDomainSocketAddress.of("/tmp/hostile.sock")));
        attempt("name", () -> InetAddress.getByName("example.com"));
        attempt("local host", () -> InetAddress.getLocalHost());
        attempt("interfaces", () -> Collections.list(NetworkInterface.getNetworkInterfaces()));
        ask("reverse", () -> far.getCanonicalHostName());
        ask("reachable", () -> {
            try {
                return near.isReachable(10);
            } catch (IOException e) {
                return e;
            }
        });
        return 0;
    }

    static InetAddress address(int... bytes) {
        byte[] b = new byte[4];
        for (int i = 0; i < 4; i++) b[i] = (byte) bytes[i];
        try {
            return InetAddress.getByAddress(b);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Loopback is granted: a server and a client in this VM talk, and nobody else is reached. */
    public static int loopback() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            ask("server", () -> server.getInetAddress());
            Thread t = new Thread(() -> {
                try (Socket s = server.accept()) {
                    s.getOutputStream().write("hello".getBytes());
                } catch (IOException e) {
                    System.out.println(e);
                }
            });
            t.start();
            ask("client", () -> {
                try (Socket s = new Socket("localhost", server.getLocalPort())) {
                    return new String(s.getInputStream().readAllBytes());
                }
            });
            t.join();
        }
        ask("datagrams", () -> {
            try (DatagramSocket a = new DatagramSocket(); DatagramSocket b = new DatagramSocket()) {
                b.send(new DatagramPacket("ping".getBytes(), 4, address(127, 0, 0, 1), a.getLocalPort()));
                DatagramPacket p = new DatagramPacket(new byte[10], 10);
                a.receive(p);
                return new String(p.getData(), 0, p.getLength()) + " from " + p.getAddress();
            }
        });
        ask("datagram channel", () -> {
            try (DatagramChannel c = DatagramChannel.open()) {
                c.send(ByteBuffer.allocate(1), new InetSocketAddress("127.0.0.1", 9));
                return ((InetSocketAddress) c.getLocalAddress()).getAddress();
            }
        });
        attempt("far", () -> new Socket(address(192, 0, 2, 1), 9));
        attempt("far channel", () -> SocketChannel.open(new InetSocketAddress(address(192, 0, 2, 1), 9)));
        attempt("far datagram", () -> {
            try (DatagramSocket s = new DatagramSocket()) {
                s.send(new DatagramPacket(new byte[1], 1, address(192, 0, 2, 1), 9));
            }
            return "";
        });
        attempt("bind far", () -> new ServerSocket(0, 1, address(192, 0, 2, 1)));
        attempt("multicast", () -> {
            MulticastSocket s = new MulticastSocket();
            s.joinGroup(new InetSocketAddress(address(224, 0, 0, 251), 0), NetworkInterface.getByName("lo"));
            return s;
        });
        attempt("name", () -> InetAddress.getByName("example.com"));
        ask("local host", () -> InetAddress.getLocalHost());
        ask("interfaces", () -> Collections.list(NetworkInterface.getNetworkInterfaces()).stream().allMatch(i -> {
            try {
                return i.isLoopback();
            } catch (SocketException e) {
                return false;
            }
        }));
        return 0;
    }

    // --- processes and the rest -------------------------------------------------------------------

    public static int processes() {
        attempt("ProcessBuilder", () -> new ProcessBuilder("/bin/sh", "-c", "echo hi").start());
        attempt("Runtime.exec", () -> Runtime.getRuntime().exec("true"));
        ask("processes", () -> ProcessHandle.allProcesses().count());
        ask("parent", () -> ProcessHandle.current().parent());
        ask("own id", () -> ProcessHandle.current().pid());
        ask("init", () -> ProcessHandle.of(1).map(ProcessHandle::isAlive));
        ask("info", () -> ProcessHandle.current().info().command());
        attempt("destroy", () -> ProcessHandle.of(2).get().destroy());
        attempt("signal handler", () -> {
            sun.misc.Signal.handle(new sun.misc.Signal("TERM"), s -> { });
            return "";
        });
        attempt("raise", () -> {
            sun.misc.Signal.raise(new sun.misc.Signal("TERM"));
            return "";
        });
        attempt("attach", () -> ofSystem("com.sun.tools.attach.VirtualMachine").getMethod("attach", String.class)
            .invoke(null, "2"));
        ask("environment", () -> System.getenv());
        ask("PATH", () -> System.getenv("PATH"));
        ask("user", () -> System.getProperty("user.name") + " " + System.getProperty("user.home") + " "
            + System.getProperty("user.dir") + " " + System.getProperty("java.io.tmpdir"));
        ask("unix user", () -> {
            Class<?> c = ofSystem("com.sun.security.auth.module.UnixSystem");
            return c.getMethod("getUid").invoke(c.getConstructor().newInstance());
        });
        attempt("load", () -> {
            System.load(System.getProperty("java.home") + "/lib/libjsig.so");
            return "";
        });
        attempt("loadLibrary", () -> {
            System.loadLibrary("hostile");
            return "";
        });
        attempt("exit", () -> {
            System.exit(3);
            return "";
        });
        attempt("halt", () -> {
            Runtime.getRuntime().halt(3);
            return "";
        });
        ask("preferences", () -> {
            Preferences p = Preferences.userRoot().node("hostile");
            p.put("a", "b");
            try {
                p.flush();
                return "kept";
            } catch (java.util.prefs.BackingStoreException e) {
                return e.getMessage();
            }
        });
        ask("stdin", () -> {
            try {
                return System.in.read();
            } catch (IOException e) {
                return e;
            }
        });
        // what is not denied works
        ask("secure random", () -> new java.security.SecureRandom().nextInt() != 0);
        ask("uuid", () -> UUID.randomUUID().version());
        ask("messages", () -> {
            java.security.MessageDigest d = java.security.MessageDigest.getInstance("SHA-256");
            return d.digest(new byte[3]).length;
        });
        ask("time zone", () -> TimeZone.getDefault().getID());
        ask("zones", () -> java.time.ZoneId.of("Europe/Vienna").getRules().isFixedOffset());
        ask("charset", () -> java.nio.charset.Charset.defaultCharset());
        ask("locale", () -> Locale.getDefault());
        ask("sleep", () -> {
            long t = System.nanoTime();
            Thread.sleep(5000);
            return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - t);
        });
        ask("date", () -> java.time.Year.now());
        return 0;
    }

    static Class<?> ofSystem(String name) throws ClassNotFoundException {
        return Class.forName(name, true, ClassLoader.getSystemClassLoader());
    }

    // --- bombs ------------------------------------------------------------------------------------

    /** Files without end, in memory. */
    public static int fileBomb() {
        attempt("large file", () -> {
            try (FileOutputStream out = new FileOutputStream("/tmp/large")) {
                byte[] block = new byte[1 << 16];
                for (int i = 0; i < 1 << 16; i++) out.write(block);
            }
            return "";
        });
        new File("/tmp/large").delete();
        attempt("sparse file", () -> {
            try (RandomAccessFile f = new RandomAccessFile("/tmp/sparse", "rw")) {
                f.seek(1L << 50);
                f.write(1);
            }
            return "";
        });
        attempt("long file", () -> {
            try (RandomAccessFile f = new RandomAccessFile("/tmp/long", "rw")) {
                f.setLength(Long.MAX_VALUE);
            }
            return "";
        });
        attempt("mapped file", () -> {
            try (FileChannel c = FileChannel.open(Path.of("/tmp/mapped"),
                    StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return c.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 30);
            }
        });
        attempt("many files", () -> {
            for (int i = 0; ; i++) Files.createFile(Path.of("/tmp/" + i));
        });
        attempt("one more", () -> Files.createDirectory(Path.of("/tmp/one-more")));
        attempt("deep folders", () -> {
            Path p = Path.of("/tmp");
            for (int i = 0; i < 2000; i++) {
                new File("/tmp/" + i).delete();
                p = Files.createDirectory(p.resolve("d"));
            }
            return "";
        });
        return 0;
    }

    /** Open files without end. */
    public static int descriptorBomb() throws IOException {
        // so that no class has to be loaded later
        Pipe pipe = Pipe.open();
        pipe.sink().close();
        pipe.source().close();
        Selector.open().close();
        List<Object> open = new ArrayList<>();
        attempt("files", () -> {
            for (int i = 0; i < 1_000_000; i++) open.add(new FileInputStream("/dev/zero"));
            return "";
        });
        ask("at least", () -> open.size() >= 20);
        attempt("pipes", () -> {
            for (int i = 0; i < 1_000_000; i++) open.add(Pipe.open());
            return "";
        });
        attempt("selectors", () -> {
            for (int i = 0; i < 1_000_000; i++) open.add(Selector.open());
            return "";
        });
        return 0;
    }

    /** Output without end. */
    public static int outputBomb() {
        PrintStream out = System.out;
        byte[] line = "0123456789".repeat(10).getBytes();
        attempt("stream", () -> {
            FileOutputStream raw = new FileOutputStream(FileDescriptor.out);
            for (int i = 0; i < 1_000_000; i++) raw.write(line);
            return "";
        });
        System.out.println("never seen");
        ask("file", () -> {
            try (FileOutputStream f = new FileOutputStream("/out/full.txt")) {
                f.write(line);
                return "written";
            }
        });
        return out.checkError() ? 0 : 1;
    }

    /** Leaves everything open that it may open. */
    public static int leave() throws Exception {
        kept.add(new FileInputStream("/in/file.txt"));
        kept.add(new RandomAccessFile("/out/left.txt", "rw"));
        kept.add(Files.newDirectoryStream(Path.of("/in")));
        FileChannel c = FileChannel.open(Path.of("/out/mapped"), StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE);
        kept.add(c.map(FileChannel.MapMode.READ_WRITE, 0, 4096).put(0, (byte) 1));
        kept.add(c.lock());
        Files.writeString(Path.of("/kept"), "kept");
        FileOutputStream gone = new FileOutputStream("/gone");
        gone.write(new byte[1000]);
        kept.add(gone);
        Files.delete(Path.of("/gone"));
        kept.add(Pipe.open());
        kept.add(Selector.open());
        return 0;
    }

    static final List<Object> kept = new ArrayList<>();

    public static int exit() {
        System.exit(3);
        return 0;
    }

    // --- memory -----------------------------------------------------------------------------------

    /** Memory that is not its own. */
    public static int wild() {
        sun.misc.Unsafe u = unsafe;
        long block = u.allocateMemory(16);
        long[] wild = {0, 1, 8, 4096, 0x10000, 0x400000, block + 16, block - 1, block + (1 << 20), 1L << 50, 0x7fff_ffff_f000L,
            0x7fff_ffff_ffffL, -1, -8, Long.MIN_VALUE, Long.MAX_VALUE};
        for (long a : wild) {
            String shown = a == block + 16 ? "block end" : a == block - 1 ? "block start" : a == block + (1 << 20)
                ? "beyond" : Long.toHexString(a);
            attempt("getByte " + shown, () -> u.getByte(a));
            attempt("getLong " + shown, () -> u.getLong(a));
            attempt("putInt " + shown, () -> {
                u.putInt(a, 1);
                return "";
            });
            attempt("setMemory " + shown, () -> {
                u.setMemory(a, 100, (byte) 1);
                return "";
            });
            attempt("copyMemory " + shown, () -> {
                u.copyMemory(a, block, 16);
                return "";
            });
            attempt("freeMemory " + shown, () -> {
                if (a == 0) throw new IllegalArgumentException("no block");
                u.freeMemory(a);
                return "";
            });
            attempt("compareAndSwap " + shown, () -> u.compareAndSwapInt(null, a, 0, 1));
        }
        byte[] array = new byte[8];
        for (long offset : new long[] {-100, -1, 0, 4, 12, 100, 1 << 30, Long.MAX_VALUE, Long.MIN_VALUE}) {
            attempt("array get " + offset, () -> u.getLong(array, offset));
            attempt("array put " + offset, () -> {
                u.putLong(array, offset, -1);
                return "";
            });
            attempt("string put " + offset, () -> {
                u.putObject("text", offset, array);
                return "";
            });
        }
        ask("array's own", () -> u.getLong(array, sun.misc.Unsafe.ARRAY_BYTE_BASE_OFFSET));
        ask("block's own", () -> u.getLong(block));
        u.freeMemory(block);
        attempt("freed twice", () -> {
            u.freeMemory(block);
            return "";
        });
        attempt("used after free", () -> u.getLong(block));
        attempt("huge block", () -> u.allocateMemory(1L << 60));
        return 0;
    }
}
