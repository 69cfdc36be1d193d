import java.io.*;

/** Standard input to standard output and standard error, byte by byte and line by line; Console is absent. */
public class Echo {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        int n = 0, chars = 0;
        for (String line; (line = in.readLine()) != null; n++) {
            chars += line.length();
            if (line.startsWith("!")) System.err.println(line.substring(1));
            else System.out.println(new StringBuilder(line).reverse());
        }
        System.out.println(n + " " + chars + " " + System.in.read() + " " + (System.console() == null));
        System.out.print("no newline at the end");
    }
}
