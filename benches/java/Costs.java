import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.SynchronousQueue;

/** Kernels that spend their time on bytecodes of one kind each, for models of costs: Costs KERNEL. */
public class Costs {
    interface Shape {
        int area(int x);
    }

    static class Square implements Shape {
        int side = 3;

        public int area(int x) {
            return x;
        }

        int own(int x) {
            return x;
        }
    }

    static final class Other extends Square {
        @Override
        public int area(int x) {
            return x + 1;
        }
    }

    int field;
    Object reference;
    static int fixed;

    public static void main(String[] args) throws Exception {
        Costs it = new Costs();
        long found = switch (args[0]) {
            case "locals" -> it.locals(45_000_000);
            case "ints" -> it.ints(40_000_000);
            case "longs" -> it.longs(40_000_000);
            case "doubles" -> it.doubles(40_000_000);
            case "floats" -> it.floats(40_000_000);
            case "products" -> it.products(45_000_000);
            case "quotients" -> it.quotients(25_000_000);
            case "ratios" -> it.ratios(35_000_000);
            case "conversions" -> it.conversions(40_000_000);
            case "arrays" -> it.arrays(35_000_000);
            case "bytes" -> it.bytes(35_000_000);
            case "references" -> it.references(35_000_000);
            case "fields" -> it.fields(40_000_000);
            case "statics" -> it.statics(40_000_000);
            case "branches" -> it.branches(45_000_000);
            case "switches" -> it.switches(45_000_000);
            case "calls" -> it.calls(20_000_000);
            case "virtuals" -> it.virtuals(12_000_000);
            case "interfaces" -> it.interfaces(12_000_000);
            case "casts" -> it.casts(40_000_000);
            case "natives" -> it.natives(12_000_000);
            case "monitors" -> it.monitors(30_000_000);
            case "objects" -> it.objects(12_000_000);
            case "blocks" -> it.blocks(800_000);
            case "throws" -> it.throwing(2_000_000);
            case "traces" -> it.traces(1_000_000);
            case "classes" -> it.classes(2_000);
            case "threads" -> it.threads(60_000);
            case "files" -> it.files(800_000);
            case "start" -> 0;
            default -> throw new IllegalArgumentException(args[0]);
        };
        System.out.println(found);
    }

    long locals(int n) {
        int a = 1, b = 2, c = 3, d = 4;
        for (int i = 0; i < n; i++) {
            int t = a;
            a = b;
            b = c;
            c = d;
            d = t;
        }
        return a + 2 * b;
    }

    long ints(int n) {
        int a = 1;
        for (int i = 0; i < n; i++) a = (((a + i) ^ a) - i << 1 | i) & 0xffffff;
        return a;
    }

    long longs(int n) {
        long a = 1, b = 2;
        for (int i = 0; i < n; i++) a = (((a + b) ^ a) - b << 1 | b) & 0xffffff;
        return a;
    }

    long doubles(int n) {
        double a = 1, b = 0.5;
        for (int i = 0; i < n; i++) {
            a = a * b + b - a * a;
            if (a > b) a -= b;
        }
        return (long) (a * 1e6);
    }

    long floats(int n) {
        float a = 1, b = 0.5f;
        for (int i = 0; i < n; i++) {
            a = a * b + b - a * a;
            if (a > b) a -= b;
        }
        return (long) (a * 1e6);
    }

    long products(int n) {
        int a = 3;
        long b = 5;
        for (int i = 0; i < n; i++) {
            a = a * i * a;
            b = b * b * a;
        }
        return a + b;
    }

    long quotients(int n) {
        int a = 1;
        long b = 1;
        for (int i = 1; i < n; i++) {
            a += n / i + n % i;
            b += b / i;
        }
        return a + b;
    }

    long ratios(int n) {
        double a = 1;
        for (int i = 1; i < n; i++) a = 1.5 / (a / 0.7);
        return (long) (a * 1e6);
    }

    long conversions(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) a += (int) (long) (byte) i + (char) (int) (double) i;
        return a;
    }

    long arrays(int n) {
        int[] of = new int[64];
        for (int i = 0; i < n; i++) of[i & 63] = of[i + 7 & 63] + of[i + 9 & of.length - 1];
        return of[3];
    }

    long bytes(int n) {
        byte[] of = new byte[64];
        char[] to = new char[64];
        for (int i = 0; i < n; i++) {
            to[i & 63] = (char) of[i + 7 & 63];
            of[i & 63] = (byte) to[i + 9 & 63];
        }
        return of[3];
    }

    long references(int n) {
        Object[] of = {this, "a", this, "b", this, "c", this, "d"};
        for (int i = 0; i < n; i++) of[i & 7] = of[i + 3 & 7];
        return of[3].hashCode() & 0;
    }

    long fields(int n) {
        for (int i = 0; i < n; i++) {
            field += i;
            reference = this;
            if (reference == null) return 0;
        }
        return field;
    }

    long statics(int n) {
        for (int i = 0; i < n; i++) {
            fixed += i;
            fixed ^= fixed;
        }
        return fixed;
    }

    long branches(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) {
            if ((i & 1) == 0) a++;
            if (i > a) a++;
            if (this != reference) a ^= 1;
        }
        return a;
    }

    long switches(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) {
            switch (i & 3) {
                case 0 -> a++;
                case 1 -> a += 2;
                case 2 -> a ^= 1;
                default -> a--;
            }
            switch (i & 0xff) {
                case 1, 100, 200 -> a++;
                default -> a--;
            }
        }
        return a;
    }

    static int called(int a) {
        return a;
    }

    long calls(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) a += called(called(i));
        return a;
    }

    long virtuals(int n) {
        Square[] shapes = {new Square(), new Other()};
        int a = 0;
        for (int i = 0; i < n; i++) a += shapes[i & 1].own(shapes[i >> 1 & 1].area(i));
        return a;
    }

    long interfaces(int n) {
        Shape[] shapes = {new Square(), new Other()};
        int a = 0;
        for (int i = 0; i < n; i++) a += shapes[i & 1].area(shapes[i >> 1 & 1].area(i));
        return a;
    }

    long casts(int n) {
        Object[] some = {new Square(), new Other()};
        int a = 0;
        for (int i = 0; i < n; i++) {
            Object o = some[i & 1];
            if (o instanceof Other) a++;
            if (((Square) o) == null) a++;
        }
        return a;
    }

    long natives(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) if (System.identityHashCode(this) == 0 || getClass() == null) a++;
        return a;
    }

    long monitors(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) {
            synchronized (this) {
                a += i;
            }
        }
        return a;
    }

    long objects(int n) {
        for (int i = 0; i < n; i++) reference = new Object[2];
        return 0;
    }

    long blocks(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) a += new byte[8000].length;
        return a;
    }

    static void thrower(int depth, RuntimeException e) {
        if (depth == 0) throw e;
        thrower(depth - 1, e);
    }

    long throwing(int n) {
        RuntimeException e = new RuntimeException();
        int a = 0;
        for (int i = 0; i < n; i++) {
            try {
                thrower(i & 3, e);
            } catch (RuntimeException caught) {
                a++;
            }
        }
        return a;
    }

    static Throwable trace(int depth) {
        return depth == 0 ? new Throwable() : trace(depth - 1);
    }

    long traces(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) if (trace(i & 15) != null) a++;
        return a;
    }

    /** Defines classes anew. */
    static final class Definer extends ClassLoader {
        Class<?> define(byte[] code) {
            return defineClass(null, code, 0, code.length);
        }
    }

    long classes(int n) throws Exception {
        byte[] code;
        try (InputStream in = Costs.class.getResourceAsStream("Costs.class")) {
            code = in.readAllBytes();
        }
        int a = 0;
        for (int i = 0; i < n; i++) a += new Definer().define(code).getDeclaredConstructor().newInstance() == null ? 0 : 1;
        return a;
    }

    long threads(int n) throws Exception {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < n; i++) queue.put(i);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        long a = 0;
        for (int i = 0; i < n; i++) a += queue.take();
        other.join();
        return a;
    }

    long files(int n) throws Exception {
        Path path = Files.createTempFile("costs", ".bin");
        long a = 0;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            byte[] some = new byte[16];
            for (int i = 0; i < n; i++) {
                if ((i & 15) == 0) file.seek(0);
                if ((i & 31) < 16) file.write(some);
                else a += file.read(some);
            }
        } finally {
            Files.delete(path);
        }
        return a;
    }
}
