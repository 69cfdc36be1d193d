import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

/** What faults of the world outside look like to a program. */
public class Injected {
    public static void main(String[] args) throws Exception {
        Path dir = Path.of(args[1]);
        switch (args[0]) {
            case "disk" -> disk(dir);
            case "denied" -> denied(dir);
            case "short" -> parts(dir);
            case "reset" -> reset();
            case "clock" -> clock();
            case "select" -> select();
            case "oom" -> oom();
            case "much" -> much();
        }
    }

    /** Allocates in loops of its own, in natives and in the class library. */
    static void oom() {
        Object[] kept = new Object[100], none = new Object[100];
        int made = 0;
        try {
            for (; made < 1_000_000; made++) {
                kept[made % kept.length] = made % 3 == 0 ? none.clone() : new long[made % 50];
            }
            System.out.println("none");
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage() + " at " + e.getStackTrace()[0].getMethodName());
            System.out.println("made " + made);
        }
        // there was room all the time
        System.out.println(new int[1000].length);
    }

    /** Whatever fails in it, it ends with a result or an error. */
    static void much() throws Exception {
        try {
            var map = new TreeMap<String, List<Integer>>();
            for (int i = 0; i < 5; i++) {
                map.computeIfAbsent("k" + i % 3, k -> new ArrayList<>()).add(i);
            }
            Runnable task = () -> map.values().forEach(l -> l.add(l.hashCode()));
            var thread = new Thread(task);
            thread.start();
            thread.join();
            System.out.println(String.format("%s %x", map.keySet(), map.hashCode()));
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        System.out.println("end");
    }

    /** A selector is told of a connection that another thread has found broken. */
    static void select() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var channel = java.nio.channels.SocketChannel.open(server.getLocalSocketAddress());
                var selector = java.nio.channels.Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, java.nio.channels.SelectionKey.OP_READ);
            System.out.println(selector.selectNow());
            try {
                channel.write(java.nio.ByteBuffer.wrap(new byte[1]));
            } catch (IOException e) {
                System.out.println("write: " + e.getMessage());
            }
            System.out.println(selector.select(60_000));
            try {
                channel.read(java.nio.ByteBuffer.allocate(1));
            } catch (IOException e) {
                System.out.println("read: " + e.getMessage());
            }
        }
    }

    static void disk(Path dir) throws IOException {
        Path file = dir.resolve("big");
        try (var out = new FileOutputStream(file.toFile())) {
            while (true) {
                out.write(new byte[700]);
            }
        } catch (IOException e) {
            System.out.println(e.getMessage() + " after " + Files.size(file));
        }
    }

    static void denied(Path dir) throws IOException {
        Files.writeString(dir.resolve("open"), "x");
        try {
            Files.writeString(dir.resolve("secret"), "x");
        } catch (AccessDeniedException e) {
            System.out.println("denied " + Path.of(e.getFile()).getFileName());
        }
        try {
            new FileInputStream(dir.resolve("secret").toFile()).close();
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage().endsWith("secret (Permission denied)"));
        }
    }

    static void parts(Path dir) throws Exception {
        byte[] bytes = new byte[200_000];
        new Random(1).nextBytes(bytes);
        Files.write(dir.resolve("parts"), bytes);
        System.out.println(Arrays.equals(bytes, Files.readAllBytes(dir.resolve("parts"))));
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var sender = new Thread(() -> {
                try (Socket s = server.accept()) {
                    s.getOutputStream().write(bytes);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            sender.start();
            try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
                System.out.println(Arrays.equals(bytes, s.getInputStream().readAllBytes()));
            }
            sender.join();
        }
    }

    static void reset() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket s = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket other = server.accept()) {
            try {
                other.getOutputStream().write(1);
            } catch (SocketException e) {
                System.out.println("write: " + e.getMessage());
            }
            other.close();
            try {
                s.getInputStream().read();
            } catch (SocketException e) {
                System.out.println("read: " + e.getMessage());
            }
        }
    }

    static void clock() throws Exception {
        long wall = System.currentTimeMillis();
        long nanos = System.nanoTime();
        long back = 0;
        for (int i = 0; i < 3000 && back < 600_000; i++) {
            Thread.sleep(10);
            back = wall - System.currentTimeMillis();
        }
        System.out.println(back / 600_000 + " " + (System.nanoTime() > nanos));
    }
}
