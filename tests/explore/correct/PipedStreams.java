import java.io.*;

/** What one writes another reads. */
public class PipedStreams {
    public static void main(String[] args) throws Exception {
        PipedInputStream in = new PipedInputStream();
        PipedOutputStream out = new PipedOutputStream(in);
        Thread t = Check.start(() -> {
            out.write(new byte[] {1, 2, 3});
            out.close();
        });
        int sum = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            sum += b;
        }
        Check.join(t);
        Check.that(sum == 6, sum);
    }
}
