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
                for (int i = 0; i < 2_000; i++) {
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

    static ArrayList<Object> all = new ArrayList<>();

    static int lists() {
        while (true) {
            all.add(new long[100]);
        }
    }

    static int hugeArray() {
        return new long[Integer.MAX_VALUE - 8].length;
    }

    static int threads() {
        while (true) {
            Thread t = new Thread(() -> LockSupport.parkNanos(1_000_000_000_000_000L));
            t.setDaemon(true);
            t.start();
        }
    }

    /** The smallest class file, of a class named Z. */
    static byte[] smallest() throws Exception {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        java.io.DataOutputStream out = new java.io.DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(52);
        out.writeShort(5);
        for (String name : new String[] {"Z", "java/lang/Object"}) {
            out.writeByte(1);
            out.writeUTF(name);
            out.writeByte(7);
            out.writeShort(name.equals("Z") ? 1 : 3);
        }
        for (int n : new int[] {0x21, 2, 4, 0, 0, 0, 0}) {
            out.writeShort(n);
        }
        return bytes.toByteArray();
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        Class<?> define(byte[] bytes) {
            return defineClass("Z", bytes, 0, bytes.length);
        }
    }

    static int classes() throws Exception {
        byte[] bytes = smallest();
        while (true) {
            all.add(new Loader().define(bytes));
        }
    }

    static int recursion() {
        return deep(Integer.MAX_VALUE);
    }

    static sun.misc.Unsafe unsafe() throws Exception {
        java.lang.reflect.Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        return (sun.misc.Unsafe) f.get(null);
    }

    static int memory() throws Exception {
        sun.misc.Unsafe u = unsafe();
        while (true) {
            u.setMemory(u.allocateMemory(1 << 20), 1 << 20, (byte) 1);
        }
    }

    static int buffers() {
        while (true) {
            all.add(java.nio.ByteBuffer.allocateDirect(1 << 20));
        }
    }

    static int deflaters() {
        while (true) {
            all.add(new java.util.zip.Deflater());
        }
    }

    static int interned() {
        for (int i = 0;; i++) {
            all.add(("a string of some length, number " + i).intern());
        }
    }

    static class Finalized {
        Object more = new byte[100];

        @Override
        protected void finalize() {
            all.add(this);
        }
    }

    static int finalizers() {
        while (true) {
            new Finalized();
        }
    }

    static int monitors() {
        while (true) {
            Object o = new Object();
            synchronized (o) {
                // a lock of an object with a hash is no thin one
                o.hashCode();
                synchronized (o) {
                    all.add(o);
                }
            }
        }
    }

    static int wild() throws Exception {
        sun.misc.Unsafe u = unsafe();
        int n = 0;
        for (long a : new long[] {0, 1, 8, -1, Long.MIN_VALUE, 1L << 40, (1L << 40) + 1, 0x7fff_ffff_f000L}) {
            try {
                u.putLong(a, 0x1234_5678_9abc_def0L);
                n += 1000;
            } catch (InternalError e) {
                n++;
            }
            try {
                n += 1000 + (int) u.getLong("x", a * 8 + (1L << 33)) * 0;
            } catch (InternalError e) {
                n++;
            }
        }
        return n;
    }

    static int exits() {
        System.exit(3);
        return 0;
    }

    static int halts() {
        Runtime.getRuntime().halt(4);
        return 0;
    }

    static int denied() throws Exception {
        int n = 0;
        try {
            new java.io.FileInputStream("/etc/passwd");
        } catch (java.io.FileNotFoundException e) {
            n++;
        }
        try {
            java.nio.file.Files.readAllBytes(java.nio.file.Path.of("/etc/passwd"));
        } catch (java.nio.file.AccessDeniedException e) {
            n++;
        }
        try {
            new java.io.FileOutputStream("x");
        } catch (java.io.FileNotFoundException e) {
            n++;
        }
        try {
            new ServerSocket(0);
        } catch (java.net.SocketException e) {
            n++;
        }
        try {
            new ProcessBuilder("/bin/true").start();
        } catch (java.io.IOException e) {
            n++;
        }
        return n;
    }

    /** A little of everything whose counts could be lost. */
    static int mixed() throws Exception {
        int n = ends();
        for (int i = 0; i < 200; i++) {
            try {
                n += deep(i % 50);
                if (i % 3 == 0) {
                    throw new IllegalStateException("number " + i);
                }
                n += Integer.parseInt(Integer.toString(i));
                int[] a = {3, i, 1, 2};
                Arrays.sort(a);
                n += a[3] + String.format("%05d", i).length();
                Object o = Limits.class.getDeclaredMethod("call", int.class).invoke(null, i);
                n += (Integer) o;
            } catch (IllegalStateException e) {
                n += e.getMessage().length();
            } finally {
                n++;
            }
        }
        return n;
    }
}
