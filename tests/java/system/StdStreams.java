import java.io.*;
import java.util.*;

/** System.in, out and err replaced, closed and shared; print methods of all types; order of both streams is kept apart. */
public class StdStreams {
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out, err = System.err;
        out.print('c');
        out.print(1);
        out.print(2L);
        out.print(1.5f);
        out.print(-0.0);
        out.print(true);
        out.print(new char[] {'x', 'y'});
        out.print((String) null);
        out.print((Object) null);
        out.println();
        out.println(new char[] {'a', 'b'});
        out.println((Object) List.of(1));
        out.printf("%s|%5.2f|%n", "fmt", 3.14159);
        out.append('q').append("seq").append("0123", 1, 3).println();
        out.write(new byte[] {'r', 'a', 'w', '\n'}, 0, 4);
        out.write(0x20ac);
        out.println(" low byte of a write");
        out.println("ü€😀 \ud800 unpaired");
        ByteArrayOutputStream o = new ByteArrayOutputStream(), e = new ByteArrayOutputStream();
        System.setOut(new PrintStream(o, true));
        System.setErr(new PrintStream(e, true));
        System.setIn(new ByteArrayInputStream("given input\nsecond".getBytes()));
        System.out.println("captured " + new BufferedReader(new InputStreamReader(System.in)).readLine());
        new Exception("to err").printStackTrace();
        Thread t = new Thread(() -> { throw new RuntimeException("in thread"); }, "T");
        t.start();
        t.join();
        System.setOut(out);
        System.setErr(err);
        System.out.print(o);
        String text = e.toString();
        System.out.println(text.contains("to err") + " " + text.contains("Exception in thread \"T\" java.lang.RuntimeException: in thread"));
        err.println("an error line");
        err.print("another, no newline");
        err.flush();
        PrintStream closed = new PrintStream(new ByteArrayOutputStream());
        closed.close();
        closed.println("ignored");
        System.out.println(closed.checkError() + " " + out.checkError());
        try {
            out.printf("%d", "x");
        } catch (IllegalFormatException x) {
            System.out.println(x.getMessage());
        }
        try {
            System.out.println((char[]) null);
        } catch (NullPointerException x) {
            System.out.println("null array");
        }
        PrintStream fd = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        fd.println("by descriptor");
        System.out.println(FileDescriptor.in.valid() + " " + FileDescriptor.err.valid() + " " + new FileDescriptor().valid());
        System.out.print("before close");
        System.out.close();
        System.out.println("not shown");
        System.exit(System.out.checkError() ? 3 : 4);
    }
}
