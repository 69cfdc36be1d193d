import java.util.function.*;

/** Lambdas and method references: captures, receivers, constructors, recursion, generic and intersection targets. */
public class Lambdas {
    interface Tri<A, B, C, R> { R apply(A a, B b, C c); }
    interface Wide { double go(int i, long l, float f, double d, byte b); }
    interface Counter { int next(); default Counter twice() { return () -> { next(); return next(); }; } }

    int field = 10;
    static int calls;

    IntUnaryOperator adder(int by) { return x -> x + by + field++; }
    static int triple(int x) { calls++; return 3 * x; }
    int scaled(int x) { return x * field; }
    Lambdas() { }
    Lambdas(int f) { field = f; }

    static IntUnaryOperator compose(IntUnaryOperator... fs) {
        return x -> {
            for (IntUnaryOperator f : fs) x = f.applyAsInt(x);
            return x;
        };
    }

    static Function<Integer, Integer> fact;

    static <T> Supplier<T> once(Supplier<T> s) {
        Object[] box = new Object[1];
        return () -> {
            @SuppressWarnings("unchecked") T t = (T) (box[0] == null ? box[0] = s.get() : box[0]);
            return t;
        };
    }

    public static void main(String[] args) {
        Lambdas o = new Lambdas();
        IntUnaryOperator a = o.adder(5);
        System.out.println(a.applyAsInt(1) + " " + a.applyAsInt(1) + " " + o.field);
        System.out.println(compose(Lambdas::triple, o::scaled, a, x -> -x, Math::abs).applyAsInt(2));
        fact = n -> n < 2 ? 1 : n * fact.apply(n - 1);
        System.out.println(fact.apply(10));
        IntFunction<Lambdas> make = Lambdas::new;
        IntFunction<int[][]> arrays = int[][]::new;
        System.out.println(make.apply(77).field + " " + arrays.apply(3).length);
        BiFunction<Lambdas, Integer, Integer> unbound = Lambdas::scaled;
        Tri<String, Integer, Integer, String> sub = String::substring;
        System.out.println(unbound.apply(new Lambdas(3), 4) + " " + sub.apply("abcdef", 1, 4));
        Wide w = (i, l, f, d, b) -> i + l * 10 + f * 100 + d * 1000 + b * 10000;
        System.out.println((long) w.go(1, 2, 3, 4, (byte) 5));
        int[] n = {0};
        Counter c = () -> ++n[0];
        System.out.println(c.next() + " " + c.twice().next() + " " + c.twice().twice().next() + " " + n[0]);
        Supplier<Supplier<String>> nested = () -> () -> "deep" + n[0];
        System.out.println(nested.get().get());
        Supplier<Object> s = once(() -> { calls += 1000; return "made"; });
        System.out.println(s.get() == s.get());
        System.out.println(calls);
        Runnable r = (Runnable & java.io.Serializable) () -> System.out.println("both");
        r.run();
        System.out.println(r instanceof java.io.Serializable);
        Function<Object, String> ts = Object::toString;
        Function<Object, Integer> hc = Object::hashCode;
        System.out.println(ts.apply(12) + hc.apply("ab") + ts.andThen(String::length).compose(x -> x + "!").apply("four"));
        long big = 1L << 40;
        double dd = 2.5;
        char ch = 'z';
        String str = "cap";
        Supplier<String> captures = () -> big + str + dd + ch + n[0];
        System.out.println(captures.get());
        try {
            Lambdas none = null;
            IntUnaryOperator bad = none::scaled;
            System.out.println("not reached");
        } catch (NullPointerException e) {
            System.out.println("null receiver at capture");
        }
        Supplier<IntSupplier> loop = () -> { int sum = 0; for (int i = 0; i < 5; i++) { int k = i; IntSupplier q = () -> k * k; sum += q.getAsInt(); } int t = sum; return () -> t; };
        System.out.println(loop.get().getAsInt());
    }
}
