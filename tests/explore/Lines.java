import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Reads a line before the second thread is started, and all others after that. */
public class Lines {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in), 1);
        String first = in.readLine();
        Thread t = new Thread(() -> { });
        t.start();
        int n = 0;
        while (in.readLine() != null) {
            n++;
        }
        t.join();
        System.out.println(first + " and " + n);
    }
}
