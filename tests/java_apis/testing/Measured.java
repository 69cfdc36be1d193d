import rjvm.test.Measure;
import rjvm.test.Measurement;

public class Measured {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static Object kept;

    static class Nothing implements Runnable {
        @Override
        public void run() {
        }
    }

    static class Allocates implements Runnable {
        @Override
        public void run() {
            kept = new int[10];
            kept = new Object();
        }
    }

    static class Fib implements Runnable {
        @Override
        public void run() {
            fib(10);
        }
    }

    static void print(String name, Measurement m) {
        System.out.println(name + ": " + m);
    }

    public static void main(String[] args) throws Exception {
        print("nothing", Measure.of(new Nothing()));
        print("nothing again", Measure.of(new Nothing()));
        print("objects", Measure.of(new Allocates()));
        Fib fib = new Fib();
        for (int i = 0; i < 3; i++) {
            print("fib", Measure.of(fib));
        }
        // as often as it takes to be called in some other way, if there were one
        for (int i = 0; i < 2000; i++) {
            Measure.of(fib);
        }
        Measurement m = Measure.of(fib);
        print("fib later", m);
        System.out.println("calls of fib: " + (m.calls() < 0 ? "" : m.calls("Measured::fib") + " " + m.calls("Measured*") + " " + m.calls("java..")));
        print("warm", Measure.warm(2, () -> String.valueOf(fib(3)).length()));
        Measurement nested = Measure.of(() -> kept = Measure.of(fib));
        print("inner", (Measurement) kept);
        System.out.println("more: " + (nested.bytecodes() < 0 || nested.bytecodes() > m.bytecodes()));
        System.out.println("result: " + Measure.ofCall(() -> "x" + fib(5)).result());
        try {
            Measure.of(() -> {
                throw new IllegalStateException("on purpose");
            });
        } catch (IllegalStateException e) {
            System.out.println("thrown: " + e);
        }
        print("after that", Measure.of(fib));
        Thread other = new Thread(() -> fib(15));
        Measurement apart = Measure.of(() -> {
            other.start();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println("other threads: " + (apart.bytecodes() < 0 || apart.bytecodesOfAllThreads() - apart.bytecodes() > 15000));
    }
}
