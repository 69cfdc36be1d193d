import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file that it also writes: when it runs again, it does something else. */
public class Changed {
    static long total;

    static void work(long n) {
        for (int i = 0; i < n * 100_000; i++) {
            total += i;
        }
    }

    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        work(30);
        long size = Files.size(file);
        work(size);
        Files.writeString(file, "x".repeat((int) size + 3));
        work(30);
        System.out.println(size);
    }
}
