import java.io.*;

/** Does what depends on the clock, or on what an earlier run left behind. */
public class Parting {
    static int work(int n) {
        int x = 0;
        for (int i = 0; i < n; i++) {
            x = x * 31 + i;
        }
        return x;
    }

    /** Executes something else in each run, unless time stands still. */
    static int branch(long nanos) {
        int x = 0;
        for (int i = 0; i < 40; i++) {
            x += (nanos >> i & 1) == 0 ? 1 : work(i);
        }
        return x;
    }

    static long length(File file) {
        return file.length();
    }

    public static void main(String[] args) throws Exception {
        int sum = work(1_000_000);
        if (args[0].equals("clock")) {
            Thread t = new Thread(() -> work(branch(System.nanoTime()) & 0xff), "parts");
            t.start();
            t.join();
        } else {
            File file = new File("left");
            long before = length(file);
            try (OutputStream out = new FileOutputStream(file, true)) {
                out.write(1);
            }
            sum += (int) (before * 0);
        }
        System.out.println(sum);
        System.exit(3);
    }
}
