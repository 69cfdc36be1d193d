import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.*;

/** java.nio.file: create, write, read, copy, move, delete, walk, attributes, and the exceptions for what can't be. */
public class Files1 {
    static Path dir;

    interface Body { Object run() throws Exception; }
    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (Exception e) {
            String m = String.valueOf(e.getMessage());
            System.out.println(what + " -> " + e.getClass().getSimpleName() + " " + m.replace(dir.toString(), "DIR"));
        }
    }

    public static void main(String[] args) throws Exception {
        dir = Files.createTempDirectory("files1");
        Path f = dir.resolve("a.txt");
        show("write", () -> Files.writeString(f, "line one\nzweite Zeile ü\n三行目\n").getFileName());
        show("size", () -> Files.size(f) + " " + Files.exists(f) + Files.isRegularFile(f) + Files.isDirectory(dir) + Files.isReadable(f) + Files.isHidden(f) + Files.notExists(dir.resolve("none")));
        show("read", () -> Files.readString(f).length() + " " + Files.readAllLines(f) + " " + Files.readAllBytes(f).length);
        show("append", () -> { Files.write(f, List.of("x", "y"), StandardOpenOption.APPEND); return Files.lines(f).collect(Collectors.toList()); });
        show("create new", () -> Files.createFile(f));
        show("missing", () -> Files.readString(dir.resolve("none")));
        show("directory", () -> Files.readString(dir));
        show("malformed", () -> { Path p = Files.write(dir.resolve("bad"), new byte[] {(byte) 0xff, 'a'}); try { return Files.readString(p); } finally { Files.delete(p); } });
        show("dirs", () -> dir.relativize(Files.createDirectories(dir.resolve("sub/deep/er"))));
        show("mkdir exists", () -> Files.createDirectory(dir.resolve("sub")));
        show("mkdir no parent", () -> Files.createDirectory(dir.resolve("no/sub")));
        show("copy", () -> Files.size(Files.copy(f, dir.resolve("sub/b.txt"))));
        show("copy exists", () -> Files.copy(f, dir.resolve("sub/b.txt")));
        show("copy replace", () -> Files.size(Files.copy(f, dir.resolve("sub/b.txt"), StandardCopyOption.REPLACE_EXISTING)));
        show("copy stream", () -> Files.copy(new ByteArrayInputStream(new byte[70000]), dir.resolve("sub/deep/big.bin")));
        show("move", () -> dir.relativize(Files.move(dir.resolve("sub/b.txt"), dir.resolve("sub/deep/c.txt"), StandardCopyOption.ATOMIC_MOVE)));
        show("delete non-empty", () -> { Files.delete(dir.resolve("sub")); return 0; });
        show("delete missing", () -> { Files.delete(dir.resolve("none")); return 0; });
        show("deleteIfExists", () -> Files.deleteIfExists(dir.resolve("none")));
        show("link", () -> { Path l = Files.createSymbolicLink(dir.resolve("link"), Path.of("a.txt")); return Files.isSymbolicLink(l) + " " + Files.readSymbolicLink(l) + " " + Files.isSameFile(l, f) + " " + Files.size(l) + " " + l.toRealPath().getFileName() + " " + Files.isRegularFile(l, LinkOption.NOFOLLOW_LINKS); });
        show("perms", () -> { Files.setPosixFilePermissions(f, PosixFilePermissions.fromString("rw-r-----")); return PosixFilePermissions.toString(Files.getPosixFilePermissions(f)) + " " + Files.isExecutable(f); });
        show("times", () -> { Files.setLastModifiedTime(f, FileTime.fromMillis(1_000_000_000_000L)); return Files.getLastModifiedTime(f) + " " + Files.readAttributes(f, BasicFileAttributes.class).size() + " " + Files.readAttributes(f, "size,isDirectory").get("isDirectory") + " " + Files.getAttribute(f, "unix:nlink"); });
        show("walk", () -> { try (Stream<Path> s = Files.walk(dir)) { return s.map(p -> dir.relativize(p).toString()).sorted().collect(Collectors.toList()); } });
        show("list", () -> { try (Stream<Path> s = Files.list(dir.resolve("sub"))) { return s.map(p -> p.getFileName().toString()).collect(Collectors.toList()); } });
        show("glob", () -> { List<String> l = new ArrayList<>(); try (DirectoryStream<Path> s = Files.newDirectoryStream(dir, "*.{txt,md}")) { for (Path p : s) l.add(p.getFileName().toString()); } return l; });
        show("find", () -> { try (Stream<Path> s = Files.find(dir, 5, (p, a) -> a.isRegularFile() && a.size() > 60000)) { return s.map(p -> p.getFileName()).collect(Collectors.toList()); } });
        show("list file", () -> Files.list(f));
        show("mismatch", () -> Files.mismatch(f, dir.resolve("sub/deep/c.txt")) + " " + Files.mismatch(f, dir.resolve("link")));
        show("temp", () -> { Path t = Files.createTempFile(dir, "pre", ".suf"); String n = t.getFileName().toString(); Files.delete(t); return n.startsWith("pre") + " " + n.endsWith(".suf"); });
        show("buffered", () -> { try (BufferedWriter w = Files.newBufferedWriter(dir.resolve("w"), StandardCharsets.UTF_16)) { w.write("é"); w.newLine(); } try (BufferedReader r = Files.newBufferedReader(dir.resolve("w"), StandardCharsets.UTF_16)) { return r.readLine() + r.readLine() + Files.size(dir.resolve("w")); } });
        StringBuilder visit = new StringBuilder();
        Files.walkFileTree(dir, new SimpleFileVisitor<>() {
            @Override public FileVisitResult visitFile(Path p, BasicFileAttributes a) throws IOException { Files.delete(p); visit.append('f'); return FileVisitResult.CONTINUE; }
            @Override public FileVisitResult postVisitDirectory(Path p, IOException e) throws IOException { Files.delete(p); visit.append('d'); return FileVisitResult.CONTINUE; }
        });
        System.out.println(visit.length() + " " + visit.charAt(visit.length() - 1) + " " + Files.exists(dir));
    }
}
