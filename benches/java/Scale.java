import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

/**
 * Programs that grow with a number: many classes, threads, frames, contexts, objects. Each prints a
 * result that does not depend on the VM, and the milliseconds its parts took on standard error.
 */
public class Scale {
    static long begun;

    static void part(String name) {
        long now = System.nanoTime();
        if (begun != 0) {
            System.err.printf("%s %.1f ms%n", name, (now - begun) / 1e6);
        }
        begun = System.nanoTime();
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[1]);
        int m = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        part("");
        switch (args[0]) {
            case "classes" -> classes(n, m);
            case "sleepers" -> sleepers(n, m);
            case "yielders" -> yielders(n, m);
            case "blockers" -> blockers(n, m);
            case "depth" -> depth(n, m);
            case "tree" -> tree(n, m);
            case "heap" -> heap(n, m);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** The most memory that the process has had. */
    static void resident() throws Exception {
        Files.readAllLines(Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("VmHWM")).forEach(System.err::println);
    }

    /** Defines copies of a class under other names. */
    static class Copies extends ClassLoader {
        final byte[] template;
        final int[] places;

        Copies() throws Exception {
            super(Scale.class.getClassLoader());
            try (InputStream in = Scale.class.getResourceAsStream("Copy00000.class")) {
                template = in.readAllBytes();
            }
            byte[] name = "Copy00000".getBytes();
            List<Integer> found = new ArrayList<>();
            next:
            for (int i = 0; i + name.length <= template.length; i++) {
                for (int k = 0; k < name.length; k++) {
                    if (template[i + k] != name[k]) {
                        continue next;
                    }
                }
                found.add(i);
            }
            places = found.stream().mapToInt(i -> i).toArray();
        }

        Class<?> copy(int number) {
            byte[] digits = String.format("%05d", number).getBytes();
            byte[] b = template.clone();
            for (int p : places) {
                System.arraycopy(digits, 0, b, p + 4, 5);
            }
            return defineClass(null, b, 0, b.length);
        }
    }

    /** Loads n classes, calls a method of each by reflection, then calls each m times through an interface. */
    static void classes(int n, int m) throws Exception {
        Copies copies = new Copies();
        Class<?>[] classes = new Class<?>[n];
        for (int i = 0; i < n; i++) {
            classes[i] = copies.copy(i + 1);
        }
        part("define");
        IntUnaryOperator[] ops = new IntUnaryOperator[n];
        for (int i = 0; i < n; i++) {
            ops[i] = (IntUnaryOperator) classes[i].getConstructor(int.class).newInstance(i);
        }
        part("instantiate");
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += ops[i].applyAsInt(i);
        }
        part("first-call");
        for (int r = 0; r < m; r++) {
            for (int i = 0; i < n; i++) {
                sum = sum * 31 + ops[i].applyAsInt(r);
            }
        }
        part("calls");
        System.out.println("classes " + n + " " + sum);
        resident();
    }

    static long counted;

    static synchronized void count() {
        counted++;
    }

    static void all(int n, Runnable body) throws Exception {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(body, "t" + i);
            threads[i].start();
        }
        part("start");
        for (Thread t : threads) {
            t.join();
        }
        part("join");
    }

    /** n threads that all sleep m times at once. */
    static void sleepers(int n, int m) throws Exception {
        all(n, () -> {
            try {
                for (int i = 0; i < m; i++) {
                    Thread.sleep(5);
                    count();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println("sleepers " + n + " " + counted);
    }

    /** n threads that give way m times each. */
    static void yielders(int n, int m) throws Exception {
        all(n, () -> {
            for (int i = 0; i < m; i++) {
                Thread.yield();
                count();
            }
        });
        System.out.println("yielders " + n + " " + counted);
    }

    /** n threads that wait for each other m times: park, and contended monitors. */
    static void blockers(int n, int m) throws Exception {
        CountDownLatch[] gates = new CountDownLatch[m];
        for (int i = 0; i < m; i++) {
            gates[i] = new CountDownLatch(n);
        }
        all(n, () -> {
            try {
                for (int i = 0; i < m; i++) {
                    gates[i].countDown();
                    gates[i].await();
                    count();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println("blockers " + n + " " + counted);
    }

    static int down(int n, Object o) {
        if (n == 0) {
            return o.hashCode() == 42 ? 1 : 0;
        }
        return down(n - 1, o) + 1;
    }

    static int downAllocating(int n, int[] last) {
        int[] mine = new int[2];
        mine[0] = last[0] + 1;
        if (n == 0) {
            return mine[0];
        }
        return downAllocating(n - 1, mine) + (mine[0] & 1);
    }

    /** Recurses to depth n, m times, then allocating, then throws from the bottom. */
    static void depth(int n, int m) {
        Object o = new Object() {
            @Override
            public int hashCode() {
                return 42;
            }
        };
        long sum = 0;
        for (int i = 0; i < m; i++) {
            sum += down(n, o);
        }
        part("down");
        for (int i = 0; i < m; i++) {
            sum += downAllocating(n, new int[1]);
        }
        part("allocating");
        try {
            down(n, null);
        } catch (NullPointerException e) {
            sum += e.getStackTrace().length;
        }
        part("throwing");
        System.out.println("depth " + n + " " + sum);
    }

    static int a(int d) {
        return d == 0 ? 1 : a(d - 1) + b(d - 1) + c(d - 1);
    }

    static int b(int d) {
        return d == 0 ? 2 : a(d - 1) + b(d - 1) + c(d - 1);
    }

    static int c(int d) {
        return d == 0 ? 3 : a(d - 1) + b(d - 1) + c(d - 1);
    }

    /** A tree of calling contexts with (3^(n+1) - 1) / 2 nodes, walked m times. */
    static void tree(int n, int m) {
        long sum = 0;
        for (int i = 0; i < m; i++) {
            sum += a(n);
            part("walk");
        }
        System.out.println("tree " + n + " " + sum);
    }

    static class Node {
        Node left;
        Node right;
        int key;
        long value;
    }

    static Node build(int depth, int[] keys) {
        Node n = new Node();
        n.key = keys[0]++;
        n.value = n.key * 3L;
        if (depth > 0) {
            n.left = build(depth - 1, keys);
            n.right = build(depth - 1, keys);
        }
        return n;
    }

    static long sum(Node n) {
        return n == null ? 0 : n.value + sum(n.left) + sum(n.right);
    }

    static Node garbage;

    /** About n MB of live data (trees of 32-byte nodes of a MB each, in an array), then m times 16 MB of garbage. */
    static void heap(int n, int m) {
        Node[] trees = new Node[n];
        int[] keys = new int[1];
        for (int i = 0; i < n; i++) {
            trees[i] = build(14, keys);
        }
        part("build");
        for (int r = 0; r < m; r++) {
            for (int i = 0; i < 500_000; i++) {
                garbage = new Node();
            }
            // some of the old is replaced
            trees[r % n] = build(14, keys);
        }
        part("churn");
        System.gc();
        part("full");
        long sum = 0;
        for (Node t : trees) {
            sum += sum(t);
        }
        part("sum");
        System.out.println("heap " + n + " " + sum);
    }
}
