import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.*;
import static java.nio.file.StandardWatchEventKinds.*;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.*;
import java.util.concurrent.TimeUnit;

/** What a watch service tells of two folders, `a` and `b`, and of one below, after each of many operations. */
public class Watch {
    static WatchService watcher;
    static Path a, b;
    static final Map<WatchKey, String> KEYS = new LinkedHashMap<>();

    interface Action {
        void run() throws Exception;
    }

    static void register(Path p, WatchEvent.Kind<?>... kinds) throws IOException {
        KEYS.put(p.register(watcher, kinds), p.getFileName().toString());
    }

    /** Does something, and prints what is told of it within a while. */
    static void after(String what, Action action) throws Exception {
        try {
            action.run();
        } catch (Exception e) {
            System.out.println(what + ": " + e.getClass().getName());
        }
        Thread.sleep(40);
        Map<String, List<String>> told = new TreeMap<>();
        for (WatchKey key; (key = watcher.poll()) != null;) {
            List<String> all = told.computeIfAbsent(KEYS.get(key), k -> new ArrayList<>());
            for (WatchEvent<?> e : key.pollEvents()) {
                String name = String.valueOf(e.context());
                String event = e.kind().name().replace("ENTRY_", "") + " " + (name.endsWith(".tmp") ? "some.tmp" : name);
                // how many of the same come together is a matter of time
                if (all.isEmpty() || !all.get(all.size() - 1).equals(event)) all.add(event);
            }
            if (!key.reset()) all.add("no longer valid");
        }
        System.out.println(what + ": " + told);
    }

    static void write(Path p, String s, OpenOption... how) throws IOException {
        try (FileChannel c = FileChannel.open(p, how)) {
            c.write(ByteBuffer.wrap(s.getBytes()));
        }
    }

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        a = Files.createDirectory(root.resolve("a"));
        b = Files.createDirectory(root.resolve("b"));
        Path c = Files.createDirectory(root.resolve("c"));
        Path x = a.resolve("x"), y = a.resolve("y"), z = b.resolve("z"), w = c.resolve("w");
        watcher = root.getFileSystem().newWatchService();
        register(a, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
        register(b, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
        System.out.println(a.register(watcher, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY) == KEYS.keySet().iterator().next());

        after("nothing", () -> {});
        after("create", () -> Files.createFile(x));
        after("exists", () -> Files.createFile(x));
        after("write", () -> write(x, "abc", WRITE));
        after("write nothing", () -> write(x, "", WRITE));
        after("append", () -> write(x, "abc", APPEND));
        after("read", () -> Files.readAllBytes(x));
        after("truncate by opening", () -> write(x, "", WRITE, TRUNCATE_EXISTING));
        after("create and write", () -> Files.writeString(y, "some"));
        after("old stream", () -> {
            try (OutputStream o = new FileOutputStream(y.toFile())) {
                o.write(1);
                o.write(2);
            }
        });
        after("set length", () -> {
            try (RandomAccessFile f = new RandomAccessFile(y.toFile(), "rw")) {
                f.setLength(100);
            }
        });
        after("positioned", () -> {
            try (FileChannel f = FileChannel.open(y, WRITE)) {
                f.write(ByteBuffer.wrap(new byte[2]), 7);
                f.truncate(3);
            }
        });
        after("mapped", () -> {
            try (FileChannel f = FileChannel.open(y, READ, WRITE)) {
                f.map(FileChannel.MapMode.READ_WRITE, 0, 2).put(0, (byte) 7);
            }
        });
        after("times", () -> Files.setLastModifiedTime(x, FileTime.fromMillis(1_000_000)));
        after("permissions", () -> Files.setPosixFilePermissions(x, PosixFilePermissions.fromString("rw-------")));
        after("read only", () -> x.toFile().setReadable(true, false));
        after("rename", () -> Files.move(x, a.resolve("x2")));
        after("rename back", () -> a.resolve("x2").toFile().renameTo(x.toFile()));
        after("replace", () -> Files.move(x, y, REPLACE_EXISTING));
        after("to the other", () -> Files.move(y, z));
        after("out", () -> Files.move(z, w));
        after("written outside", () -> write(w, "x", WRITE));
        after("in", () -> Files.move(w, x));
        after("copy", () -> Files.copy(x, z));
        after("copy over", () -> Files.copy(x, z, REPLACE_EXISTING));
        after("open while renamed", () -> {
            try (FileChannel f = FileChannel.open(x, WRITE)) {
                Files.move(x, b.resolve("moved"));
                f.write(ByteBuffer.wrap(new byte[1]));
                Files.delete(b.resolve("moved"));
                f.write(ByteBuffer.wrap(new byte[1]));
            }
        });
        after("folder", () -> Files.createDirectory(a.resolve("sub")));
        after("in the folder", () -> Files.createFile(a.resolve("sub/f")));
        after("not empty", () -> Files.delete(a.resolve("sub")));
        after("permissions of it", () -> Files.setPosixFilePermissions(a.resolve("sub"), PosixFilePermissions.fromString("rwx------")));
        register(a.resolve("sub"), ENTRY_DELETE, ENTRY_CREATE, ENTRY_MODIFY);
        after("watched too", () -> Files.writeString(a.resolve("sub/g"), "g"));
        after("permissions of itself", () -> Files.setPosixFilePermissions(a.resolve("sub"), PosixFilePermissions.fromString("rwxr-x---")));
        after("link", () -> Files.createSymbolicLink(a.resolve("link"), Path.of("../b/z")));
        after("through the link", () -> write(a.resolve("link"), "l", WRITE));
        after("written through the link", () -> Files.writeString(a.resolve("link"), "l"));
        after("hard link", () -> Files.createLink(a.resolve("hard"), z));
        after("by one name", () -> write(z, "1", WRITE));
        after("by the other", () -> write(a.resolve("hard"), "2", WRITE));
        after("temporary", () -> {
            Path t = Files.createTempFile(a, "t", null);
            Files.move(t, a.resolve("t"));
            Files.delete(a.resolve("t"));
        });
        after("deleted on close", () -> {
            try (FileChannel f = FileChannel.open(x, CREATE, WRITE, DELETE_ON_CLOSE)) {
                f.write(ByteBuffer.wrap(new byte[1]));
            }
        });
        after("folder moved", () -> Files.move(a.resolve("sub"), b.resolve("sub2")));
        after("in it", () -> Files.createFile(b.resolve("sub2/h")));
        after("emptied", () -> {
            for (String n : List.of("f", "g", "h")) Files.delete(b.resolve("sub2").resolve(n));
        });
        after("gone", () -> Files.delete(b.resolve("sub2")));
        for (WatchKey k : KEYS.keySet()) System.out.println(KEYS.get(k) + " " + k.isValid());
        WatchKey ofB = new ArrayList<>(KEYS.keySet()).get(1);
        b.register(watcher, ENTRY_DELETE);
        after("deletions only", () -> {
            Files.createFile(b.resolve("n"));
            Files.writeString(b.resolve("n"), "n");
            Files.delete(b.resolve("n"));
        });
        ofB.cancel();
        after("cancelled", () -> Files.createFile(b.resolve("o")));
        System.out.println(ofB.isValid() + " " + watcher.poll() + " " + watcher.poll(20, TimeUnit.MILLISECONDS));
        after("many", () -> {
            for (int i = 0; i < 30; i++) Files.createFile(a.resolve("m" + i));
            for (int i = 0; i < 30; i++) Files.delete(a.resolve("m" + i));
        });
        after("more than a key keeps", () -> {
            for (int i = 0; i < 600; i++) Files.createFile(a.resolve("n" + i));
        });
        try {
            z.register(watcher, ENTRY_CREATE);
        } catch (IOException e) {
            System.out.println(e.getClass().getName());
        }
        try {
            c.resolve("none").register(watcher, ENTRY_CREATE);
        } catch (IOException e) {
            System.out.println(e.getClass().getName());
        }
        // one thread waits while another one does
        Thread waits = new Thread(() -> {
            try {
                WatchKey k = watcher.take();
                System.out.println("told " + k.pollEvents().get(0).context());
                k.reset();
                watcher.take();
            } catch (ClosedWatchServiceException | InterruptedException e) {
                System.out.println(e.getClass().getName());
            }
        });
        waits.start();
        Thread.sleep(50);
        Files.createFile(a.resolve("p"));
        Thread.sleep(50);
        watcher.close();
        waits.join();
    }
}
