import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Planted: a file is read byte by byte without a buffer. */
public class Chatty {
    public static void main(String[] args) throws IOException {
        File file = File.createTempFile("chatty", ".txt");
        try (OutputStream out = new FileOutputStream(file)) {
            byte[] text = "one two three four\n".repeat(1000).getBytes();
            out.write(text);
        }
        System.out.println(words(file));
        file.delete();
    }

    static int words(File file) throws IOException {
        int words = 0;
        try (InputStream in = new FileInputStream(file)) {
            int c;
            while ((c = in.read()) != -1) { // planted
                if (c == ' ' || c == '\n') {
                    words++;
                }
            }
        }
        return words;
    }
}
