import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** What a VM is stopped in: nothing here ends by itself. */
public class Limits {
    static volatile int sink;

    static int tight() {
        int n = 0;
        while (true) {
            n++;
        }
    }

    static int call(int n) {
        return n + 1;
    }

    static int calls() {
        int n = 0;
        while (true) {
            n = call(n);
        }
    }

    static int sleep() throws InterruptedException {
        while (true) {
            Thread.sleep(1_000_000);
        }
    }

    static int park() {
        while (true) {
            LockSupport.parkNanos(1_000_000_000_000_000L);
        }
    }

    static int parkInOthers() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(Limits::park);
            t.setDaemon(true);
            t.start();
        }
        return sleep();
    }

    static int waits() throws InterruptedException {
        Object lock = new Object();
        synchronized (lock) {
            while (true) {
                lock.wait(1_000_000);
            }
        }
    }

    static int accept() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.accept();
        }
        return 0;
    }

    static int read() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, here);
                Socket a = new Socket(here, server.getLocalPort());
                Socket b = server.accept()) {
            return b.getInputStream().read();
        }
    }

    /** Half of the heap is copied again and again. */
    static int copies() {
        int bytes = (int) (Runtime.getRuntime().maxMemory() / 3);
        byte[] a = new byte[bytes];
        a[bytes / 2] = 1;
        while (true) {
            System.arraycopy(a, 1, a, 0, bytes - 1);
            System.arraycopy(a, 0, a, 1, bytes - 1);
            sink += a[bytes / 2];
        }
    }

    static int fills() {
        byte[][] a = new byte[4][];
        int bytes = (int) (Runtime.getRuntime().maxMemory() / 16);
        while (true) {
            a[sink++ & 3] = new byte[bytes];
        }
    }

    static int garbage() {
        ArrayList<int[]> kept = new ArrayList<>();
        long room = Runtime.getRuntime().maxMemory() / 3;
        for (long n = 0; n < room; n += 80) {
            kept.add(new int[16]);
        }
        for (int i = 0;; i++) {
            kept.set(i % kept.size(), new int[16]);
        }
    }

    static int collects() {
        garbageOf(20_000);
        while (true) {
            System.gc();
        }
    }

    static int[][] held;

    static void garbageOf(int n) {
        held = new int[n][];
        for (int i = 0; i < n; i++) {
            held[i] = new int[16];
        }
    }

    static class Endless {
        static int n;

        static {
            while (n >= 0) {
                n = n + 1 & 0xffff;
            }
        }
    }

    static int initializer() {
        return Endless.n;
    }

    static int regex() {
        String text = "a".repeat(40) + "!";
        return Pattern.matches("(a|aa)+\\1b", text) ? 1 : 0;
    }

    static int strings() {
        StringBuilder b = new StringBuilder();
        while (true) {
            b.setLength(0);
            for (int i = 0; i < 100_000; i++) {
                b.append(i);
            }
            sink += b.toString().hashCode();
        }
    }

    static int inflates() throws Exception {
        java.util.zip.Deflater d = new java.util.zip.Deflater(9);
        byte[] from = new byte[1 << 20];
        for (int i = 0; i < from.length; i++) {
            from[i] = (byte) (i * i >> 7);
        }
        byte[] packed = new byte[2 << 20];
        while (true) {
            d.reset();
            d.setInput(from);
            d.finish();
            int n = d.deflate(packed);
            java.util.zip.Inflater i = new java.util.zip.Inflater();
            i.setInput(packed, 0, n);
            sink += i.inflate(from);
            i.end();
        }
    }

    static int deep(int n) {
        return n == 0 ? 0 : deep(n - 1) + 1;
    }

    static int overflows() {
        while (true) {
            try {
                deep(Integer.MAX_VALUE);
            } catch (StackOverflowError e) {
                sink++;
            }
        }
    }

    static int hook() {
        Runtime.getRuntime().addShutdownHook(new Thread(Limits::tight));
        return 0;
    }

    static int sorts() {
        int[] a = new int[200_000];
        while (true) {
            for (int i = 0; i < a.length; i++) {
                a[i] = i * 0x9E3779B9;
            }
            Arrays.sort(a);
        }
    }

    /** Ends: how often `sum` has been called tells whether anything was lost. */
    static int ends() throws Exception {
        int[] n = new int[4];
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    n[me] = sum(n[me]);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        return Arrays.stream(n).sum();
    }

    static synchronized int sum(int n) {
        return n + 1;
    }
}
