import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Callees in callees, constructors among them, which compiled code has in it, and calls of method handles: Nested ROUNDS. */
public class Nested {
    static class Node {
        final int key;
        Node next;
        Object[] cells;
        Node(int key) { this.key = key; }
        Node(int key, Node next) {
            this(key);
            this.next = next;
        }
        int key() { return key; }
        int nextKey() { return next.key(); }
        int afterNext() { return next.nextKey() + key(); }
        int cell(int i) { return (Integer) cells[i]; }
        int checked(int i) { return cell(index(i, 4)); }
        static int index(int i, int n) {
            if (i < 0 || i >= n) throw new IndexOutOfBoundsException("no ".concat(Integer.toString(i)));
            return i;
        }
        void fill(int i, Object o) { put(cells, index(i, 5), o); }
        static void put(Object[] a, int i, Object o) { a[i] = o; }
    }
    static class Sized extends Node {
        final int size;
        Sized(Node of) {
            super(of.key(), of.next);
            size = of.cells.length;
        }
    }
    static class Half extends Node {
        final int rest;
        static int made;
        Half(int a, int b) {
            super(quotient(a, b));
            made++;
            rest = quotient(a, key);
        }
        static int quotient(int a, int b) { return a / b; }
    }
    static class Closing extends Node {
        static int closed;
        Closing(int key) { super(key); }
        @Override protected void finalize() { closed++; }
    }
    static class Pair {
        final Object a, b;
        Pair(Object a, Object b) {
            this.a = a;
            this.b = b;
        }
        static Pair of(Node a, int b) { return new Pair(new Node(b, a), new int[b & 7]); }
        int sum() { return ((Node) a).nextKey() + ((int[]) b).length; }
    }

    interface Source {
        int get();
        default int twice() { return get() + get(); }
    }
    static class First implements Source {
        Node of;
        public int get() { return of.key; }
    }
    static class Second implements Source {
        Node of;
        public int get() { return of.nextKey() + 1; }
        @Override public int twice() { return get() * 2; }
    }
    static class Third implements Source {
        int n;
        public int get() { return n++; }
    }
    /** Loaded when all else has been compiled. */
    static class Late extends Node {
        Late(int key) { super(key + 1); }
        @Override int key() { return super.key() * 3; }
    }

    static int hash(Exception e) {
        StackTraceElement[] trace = e.getStackTrace();
        StringBuilder text = new StringBuilder().append(e.getMessage()).append(trace.length);
        for (int i = 0; i < Math.min(4, trace.length); i++) {
            text.append(trace[i].getMethodName()).append(trace[i].getLineNumber());
        }
        return text.toString().hashCode();
    }

    static long chains(int n, Node a, List<Integer> boxes) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Node b = new Node(i, a);
            Node c = new Node(i * 3, b);
            sum += c.afterNext() + b.nextKey() + new Half(i + 10, 3).rest;
            sum += Pair.of(c, i).sum();
            boxes.set(i & 63, i);
            sum += boxes.get(i * 7 & 63);
            c.cells = new Object[5];
            c.fill(i % 4, i);
            sum = sum * 31 + c.checked(i % 4) + new Sized(c).size;
        }
        return sum;
    }
    static long faults(int n, Node a) {
        long sum = 0;
        Object[] cells = {1, 2, 3, 4, null};
        for (int i = 0; i < n; i++) {
            try {
                Node b = new Node(i, i % 5 == 0 ? null : a);
                b.cells = i % 7 == 0 ? new String[5] : i % 11 == 0 ? null : cells;
                switch (i % 6) {
                    case 0: sum += b.afterNext(); break;
                    case 1: sum += b.checked(i % 9 - 2); break;
                    case 2: sum += new Sized(i % 4 == 0 ? null : b).size; break;
                    case 3: sum += new Half(i, i % 12 - 3).rest; break;
                    case 4: b.fill(i % 6, i % 10); break;
                    default: sum += new Pair(b, i % 4 == 0 ? "text" : new int[2]).sum();
                }
            } catch (RuntimeException e) {
                sum = sum * 31 + hash(e);
            }
        }
        return sum;
    }
    static long sources(int n, Source[] of) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum = sum * 3 + of[i % of.length].get();
                sum += of[i * 5 % of.length].twice();
            } catch (NullPointerException e) {
                sum = sum * 31 + e.getStackTrace()[0].getLineNumber() + e.getStackTrace()[1].getLineNumber();
            }
        }
        return sum;
    }

    /** A class of its own: it takes long to initialise with a collection at every allocation. */
    static class Handles {
        static final MethodHandle HALF, KEY;
        static final VarHandle NEXT, CELLS;
        static MethodHandle changing;
        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                HALF = lookup.findConstructor(Half.class, MethodType.methodType(void.class, int.class, int.class));
                KEY = lookup.findVirtual(Node.class, "key", MethodType.methodType(int.class));
                NEXT = lookup.findVarHandle(Node.class, "next", Node.class);
                CELLS = MethodHandles.arrayElementVarHandle(Object[].class);
                changing = KEY;
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
        static long call(int n, Node[] nodes) throws Throwable {
            long sum = 0;
            IntFunction<Node> make = Node::new;
            IntFunction<Node> other = i -> new Node(i, nodes[0]);
            Object[] cells = {nodes[0], nodes[1], null};
            for (int i = 0; i < n; i++) {
                Node node = nodes[i % nodes.length];
                sum += (int) KEY.invokeExact(node);
                sum += (int) changing.invoke(node);
                NEXT.setVolatile(node, i % 3 == 0 ? null : node);
                sum += NEXT.compareAndSet(node, node, nodes[0]) ? 5 : 7;
                sum += CELLS.getAcquire(cells, i % 3) == null ? 1 : 0;
                sum += (i % 2 == 0 ? make : other).apply(i).key();
                sum += ("n" + i + ':' + sum % 10).length();
                try {
                    Half half = (Half) HALF.invokeExact(i, i % 8);
                    sum += half.rest;
                    sum += CELLS.compareAndSet(cells, i % 4, null, half) ? 1 : 0;
                } catch (ArithmeticException | IndexOutOfBoundsException e) {
                    sum = sum * 31 + e.getMessage().length();
                }
            }
            return sum;
        }
    }

    static int depth;
    static int deep(Node a, int n) {
        depth = n;
        Node b = new Node(new Half(n + 9, 2).rest, a);
        return b.afterNext() + deep(a, n + 1);
    }

    static void once(int n, Node a, Source[][] groups, Node[] nodes) throws Throwable {
        List<Integer> boxes = new ArrayList<>();
        for (int i = 0; i < 64; i++) boxes.add(i);
        System.out.print(chains(n, a, boxes));
        System.out.print(' ');
        System.out.print(faults(n, a));
        for (Source[] group : groups) {
            System.out.print(' ');
            System.out.print(sources(n, group));
        }
        if (n > 1000) {
            System.out.print(' ');
            System.out.print(Handles.call(n, nodes));
        }
        System.out.print(' ');
        System.out.println(Half.made);
    }

    public static void main(String[] args) throws Throwable {
        int n = Integer.parseInt(args[0]);
        Node a = new Node(5, new Node(6, new Node(7)));
        First first = new First(), noFirst = new First();
        Second second = new Second(), noSecond = new Second();
        first.of = second.of = a;
        noSecond.of = new Node(3);
        Source[][] groups = {{first}, {first, second}, {first, second, new Third()}, {noFirst, second, first, noSecond, new Third()}};
        Node[] nodes = {a, new Half(9, 4)};
        once(n, a, groups, nodes);
        once(n, a, groups, nodes);
        Node late = (Node) Class.forName("Nested$Late").getDeclaredConstructor(int.class).newInstance(4);
        if (n > 1000) Handles.changing = MethodHandles.dropArguments(MethodHandles.constant(int.class, 3), 0, Node.class);
        once(n, new Node(8, new Node(9, late)), new Source[][] {groups[3], {noSecond, first}}, new Node[] {late, a});
        for (int i = 0; i < n / 10; i++) {
            new Closing(i);
        }
        // a collection at every allocation would look at all these frames each time
        for (int i = 0; n > 1000 && i < 3; i++) {
            try {
                deep(a, 0);
            } catch (StackOverflowError e) {
                System.out.println(depth > 300);
            }
        }
    }
}
