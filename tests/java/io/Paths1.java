import java.io.File;
import java.nio.file.*;
import java.util.*;

/** Path and File as names: parts, normalising, resolving, relativising, comparison, matching; no file is touched. */
public class Paths1 {
    interface Body { Object run() throws Exception; }
    static void show(Body b) {
        try {
            System.out.println(b.run());
        } catch (Exception e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        for (String s : new String[] {"/a/b/../c/./d.txt", "a//b/", "", "/", ".", "..", "../../x", "/..", "a/../..", "file.tar.gz", "/a b/ü"}) {
            Path p = Path.of(s);
            System.out.println("[" + p + "] " + p.isAbsolute() + " " + p.getNameCount() + " " + p.getFileName() + " " + p.getParent() + " " + p.getRoot() + " [" + p.normalize() + "] " + p.startsWith("/a") + p.endsWith("d.txt") + " " + (p.getNameCount() > 2 ? p.getName(1) + " " + p.subpath(1, 3) : ""));
            File f = new File(s);
            System.out.println("  " + f.getName() + " | " + f.getParent() + " | " + f.getPath() + " | " + f.isAbsolute() + " | " + f.toPath().equals(p) + " " + f.hashCode());
        }
        Path a = Path.of("/a/b"), r = Path.of("c/d");
        System.out.println(a.resolve(r) + " " + a.resolve("/x") + " " + a.resolve("") + " " + a.resolveSibling("z") + " " + r.resolve(a) + " " + a.relativize(Path.of("/a/x/y")) + " " + r.relativize(Path.of("c/d/e")) + " [" + a.relativize(a) + "] " + r.relativize(Path.of("")));
        show(() -> a.relativize(r));
        show(() -> r.getName(5));
        show(() -> r.subpath(1, 1));
        show(() -> { try { return Path.of("nul\0char"); } catch (InvalidPathException e) { return e.getReason() + " " + e.getIndex(); } });
        show(() -> a.compareTo(r) > 0);
        show(() -> a.equals(Path.of("/a", "b")) + " " + (a.hashCode() == Path.of("/a//b/").hashCode()) + " " + a.equals("/a/b"));
        show(() -> { List<String> l = new ArrayList<>(); for (Path p : Path.of("/x/y/z")) l.add(p.toString()); return l; });
        show(() -> Path.of("a", "", "b", "/c") + " " + Paths.get("x").toAbsolutePath().isAbsolute() + " " + a.toUri() + " " + Path.of(java.net.URI.create("file:///t/u%20v")) + " " + a.toFile());
        show(() -> Path.of(java.net.URI.create("http://x/y")));
        show(() -> Path.of(java.net.URI.create("relative")));
        FileSystem fs = FileSystems.getDefault();
        System.out.println(fs.getSeparator() + " " + fs.isOpen() + " " + fs.isReadOnly() + " " + fs.provider().getScheme() + " " + fs.supportedFileAttributeViews().contains("posix") + " " + File.separator + File.pathSeparator);
        for (String g : new String[] {"*.java", "**/*.java", "a?c", "[a-c]*", "{x,y}.*", "\\*", "*"}) {
            PathMatcher m = fs.getPathMatcher("glob:" + g);
            StringBuilder s = new StringBuilder(g);
            for (String n : new String[] {"A.java", "d/A.java", "abc", "b1", "x.c", "*", ".hidden"}) s.append(' ').append(m.matches(Path.of(n)) ? 1 : 0);
            System.out.println(s);
        }
        show(() -> fs.getPathMatcher("regex:[0-9]+").matches(Path.of("42")));
        show(() -> fs.getPathMatcher("glob:[a"));
        show(() -> fs.getPathMatcher("none:x"));
        show(() -> new File("/p", "c").getPath() + " " + new File((String) null, "c") + " " + new File("", "c") + " " + new File("/a/../b").getAbsolutePath() + " " + new File("x").compareTo(new File("y")) + " " + new File("/a/./b/../c").getCanonicalPath() + " " + new File("/a b").toURI());
    }
}
