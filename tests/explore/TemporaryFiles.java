import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files from before the first thread is there and from after it, one of them open all the time. */
public class TemporaryFiles {
    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("files");
        Path before = Files.writeString(dir.resolve("before"), "before\n");
        Files.createSymbolicLink(dir.resolve("link"), before);
        Writer log = Files.newBufferedWriter(dir.resolve("log"));
        log.write("one ");
        log.flush();
        Thread other = new Thread(() -> {
            try {
                Files.createFile(dir.resolve("new"));
                Files.writeString(before, Files.readString(before) + "more");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        other.start();
        Path own = Files.createTempFile("own", "");
        log.write("two");
        other.join();
        log.close();
        System.out.println(Files.readString(dir.resolve("log")) + " " + Files.readString(dir.resolve("link")) + " "
                + Files.size(own) + " " + Files.getLastModifiedTime(dir.resolve("log")).toMillis() / 1_000_000_000L);
        try (var names = Files.list(dir)) {
            names.map(Path::getFileName).forEach(System.out::println);
        }
    }
}
