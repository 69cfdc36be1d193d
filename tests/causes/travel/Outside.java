import java.nio.file.Files;
import java.nio.file.Path;

/** Answers of the outside world: a clock, a file, the standard input. */
public class Outside {
    static long sum;

    static void take(long value) {
        sum = sum * 31 + value;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 50; i++) {
            take(System.nanoTime());
        }
        String text = Files.readString(Path.of(args[0]));
        for (int c; (c = System.in.read()) >= 0; ) {
            take(c);
        }
        Thread other = new Thread(() -> take(System.currentTimeMillis()), "other");
        other.start();
        other.join();
        System.out.println(text.trim() + " " + sum);
    }
}
