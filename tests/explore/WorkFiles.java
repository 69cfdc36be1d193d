import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a file in the working folder that must not be there yet, and changes one that must be there. */
public class WorkFiles {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { });
        t.start();
        Files.createFile(Path.of("new.txt"));
        String old = Files.readString(Path.of("old.txt"));
        Files.writeString(Path.of("old.txt").toAbsolutePath(), "changed");
        t.join();
        if (!old.equals("old") || !Files.readString(Path.of("old.txt")).equals("changed")) {
            throw new IllegalStateException(old);
        }
    }
}
