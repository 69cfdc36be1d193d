/** What the criterion benches run: methods that do one thing each. */
public class Work {
    interface Shape {
        int area();
    }

    static class Square implements Shape {
        int side = 3;

        public int area() {
            return side * side;
        }
    }

    static class Strip implements Shape {
        int length = 5;

        public int area() {
            return length;
        }
    }

    static class Node {
        Node next;
        long value;
    }

    static final int N = 100_000;
    static final Shape[] SHAPES = {new Square(), new Strip(), new Square(), new Strip()};
    static Node kept;

    /** Nothing but dispatch: locals, arithmetic, branches. */
    static int arithmetic() {
        int x = 1;
        int y = 7;
        for (int i = 0; i < N; i++) {
            x = x * 31 + y;
            y ^= x >>> 3;
            if ((x & 1) == 0) {
                y += i;
            }
        }
        return x + y;
    }

    static int memory() {
        int[] cells = new int[1024];
        for (int i = 0; i < N; i++) {
            cells[i & 1023] += cells[(i * 7) & 1023] + i;
        }
        return cells[5];
    }

    static int add(int a, int b) {
        return a + b;
    }

    static int staticCalls() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            x = add(x, i);
        }
        return x;
    }

    static int interfaceCalls() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            x += SHAPES[i & 3].area();
        }
        return x;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int recursion() {
        return fib(20);
    }

    /** Objects that die at once. */
    static int garbage() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            Node n = new Node();
            n.value = i;
            x += (int) n.value;
        }
        return x;
    }

    /** A list that lives, for collections to find. */
    static int keep() {
        Node list = null;
        for (int i = 0; i < N; i++) {
            Node n = new Node();
            n.next = list;
            n.value = i;
            list = n;
        }
        kept = list;
        return (int) list.value;
    }
}
