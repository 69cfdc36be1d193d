import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

/** Work in phases. Between them it waits for a byte, with many kinds of frames open. */
public class Phases {
    static int work(int n) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add("x" + i);
            try {
                thrower(i);
            } catch (IllegalStateException e) {
                all.remove(all.size() - 1);
            }
        }
        all.sort((a, b) -> b.compareTo(a));
        return all.stream().mapToInt(String::length).sum() + "abc".hashCode();
    }

    static void thrower(int i) {
        if (i % 3 == 0) {
            throw new IllegalStateException();
        }
    }

    static synchronized int pause(String name) {
        int before = work(40);
        System.out.println(name);
        try {
            if (System.in.read() < 0) {
                throw new IllegalStateException("no input");
            }
        } catch (java.io.IOException e) {
            throw new RuntimeException(e);
        }
        return before + work(60);
    }

    static int deep(int depth, IntUnaryOperator then) {
        int sum = depth == 0 ? then.applyAsInt(depth) : deep(depth - 1, then);
        return sum + work(depth);
    }

    /** What reflection calls. */
    public static int reflected(String name) {
        return pause(name) + work(10);
    }

    static class Initialized {
        static final int VALUE = pause("third") + work(20);
    }

    interface Shape {
        int area();
    }

    record Square(int side) implements Shape {
        public int area() {
            return side * side + deep(3, x -> pause("first"));
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            int sum = work(30);
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new RuntimeException(e);
            }
            System.out.println("other " + (sum + work(50)));
        }, "other");
        other.start();
        begun.await();
        int sum = work(100);
        Shape shape = new Square(7);
        sum += shape.area();
        sum += (int) Phases.class.getMethod("reflected", String.class).invoke(null, "second");
        go.countDown();
        other.join();
        sum += Initialized.VALUE;
        System.out.println("sum " + sum);
    }
}
