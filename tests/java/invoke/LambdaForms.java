import java.io.*;
import java.lang.invoke.*;
import java.util.*;
import java.util.function.*;

/** LambdaMetafactory by hand and by javac: bridges, markers, serialization, captures, identity of lambdas. */
public class LambdaForms {
    interface Named<T> { T name(T t); }
    interface StringNamed extends Named<String> { String name(String s); }
    interface Thrower { void run() throws Exception; }
    static String upper(String s) { return s.toUpperCase(); }
    String suffix;
    LambdaForms(String s) { suffix = s; }
    String add(String s) { return s + suffix; }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodType ss = MethodType.methodType(String.class, String.class);
        CallSite site = LambdaMetafactory.metafactory(l, "apply", MethodType.methodType(Function.class), MethodType.methodType(Object.class, Object.class), l.findStatic(LambdaForms.class, "upper", ss), ss);
        Function<String, String> f = (Function<String, String>) site.getTarget().invokeExact();
        System.out.println(f.apply("made by hand"));
        CallSite capture = LambdaMetafactory.metafactory(l, "name", MethodType.methodType(Named.class, LambdaForms.class), MethodType.methodType(Object.class, Object.class), l.findVirtual(LambdaForms.class, "add", ss), ss);
        Named<String> n = (Named<String>) capture.getTarget().invokeExact(new LambdaForms("!"));
        System.out.println(n.name("captured"));
        StringNamed bridged = s -> s + s;
        Named raw = bridged;
        System.out.println(raw.name("br"));
        try {
            raw.name(5);
        } catch (ClassCastException e) {
            System.out.println("bridge casts");
        }
        Supplier<Runnable> factory = () -> () -> { };
        System.out.println((factory.get() == factory.get()) + " " + factory.getClass().isSynthetic() + " " + factory.getClass().isHidden() + " " + factory.getClass().getSimpleName().startsWith("LambdaForms$$Lambda"));
        Thrower t = () -> { throw new IOException("checked"); };
        try {
            t.run();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        int base = 10;
        Function<Integer, Integer> ser = (Function<Integer, Integer> & Serializable) x -> x + base;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(ser);
        }
        Function<Integer, Integer> back = (Function<Integer, Integer>) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        System.out.println(back.apply(32) + " " + (back.getClass() == ser.getClass()));
        try {
            new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(factory);
        } catch (NotSerializableException e) {
            System.out.println("not serializable");
        }
        List<Supplier<Integer>> list = new ArrayList<>();
        for (int i = 0; i < 5; i++) { int k = i; list.add(() -> k * k); }
        int sum = 0;
        for (Supplier<Integer> s : list) sum = sum * 10 + s.get();
        System.out.println(sum);
        BiFunction<Integer, Integer, Integer> max = Math::max;
        ToIntFunction<String> len = String::length;
        IntFunction<int[]> arr = int[]::new;
        Function<String, Integer> parse = Integer::parseInt;
        Function<Integer, List<String>> mk = ArrayList::new;
        UnaryOperator<String> self = x -> (String) (Object) x;
        System.out.println(max.apply(3, 9) + len.applyAsInt("four") + arr.apply(2).length + parse.apply("100") + mk.apply(5).size() + self.apply("s"));
        Object[] os = {1L, 2, "three"};
        Function<Object[], List<Object>> asList = Arrays::asList;
        System.out.println(asList.apply(os));
        DoubleUnaryOperator sq = x -> x * x;
        System.out.println(sq.andThen(Math::sqrt).compose(x -> x + 1).applyAsDouble(4));
        Predicate<String> empty = String::isEmpty;
        System.out.println(empty.negate().and(x -> x.length() < 3).or(x -> x.equals("long")).test("long") + " " + Predicate.not(empty).test(""));
    }
}
