import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes the class library of the JDK that runs it with counters. */
public final class Ahead {
    private Ahead() {
    }

    /** @param args the folder for a folder for each module, and for the names of methods */
    public static void main(String[] args) throws IOException {
        Counters counters = new Counters(0);
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        int refused = 0;
        List<Path> files;
        try (Stream<Path> all = Files.walk(modules)) {
            files = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
        for (Path file : files) {
            String name = modules.relativize(file).toString();
            // a node's constructor calls that of Object
            if (name.endsWith("module-info.class") || name.equals("java.base/java/lang/Object.class")) {
                continue;
            }
            try {
                byte[] counted = counters.add(Files.readAllBytes(file));
                Path to = Path.of(args[0], name);
                Files.createDirectories(to.getParent());
                Files.write(to, counted);
            } catch (RuntimeException e) {
                refused++;
            }
        }
        Files.write(Path.of(args[0], "methods.txt"), counters.methods());
        System.out.println(counters.methods().size() + " methods, without those of " + refused + " classes");
    }
}
