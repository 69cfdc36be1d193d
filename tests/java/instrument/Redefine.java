import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Classes get new bodies: everything that calls them sees those, and what may not change is refused. */
public class Redefine {
    public static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static Instrumentation attach() throws Exception {
        OwnAgent.attach("Redefine", "some options", OwnAgent.REDEFINE, OwnAgent.RETRANSFORM);
        return instrumentation;
    }

    static byte[] bytesOf(String name) throws Exception {
        return OwnAgent.bytesOf(name);
    }

    /** A class file with texts of its constant pool replaced. */
    static byte[] renamed(byte[] file, Map<String, String> texts) throws Exception {
        return OwnAgent.renamed(file, text -> {
            for (Map.Entry<String, String> e : texts.entrySet()) {
                if (text.equals(e.getKey())) {
                    return e.getValue();
                }
                text = text.replace("L" + e.getKey() + ";", "L" + e.getValue() + ";");
            }
            return text;
        });
    }

    /** The class file of one class under the name of another. */
    static byte[] as(Class<?> of, Class<?> name) throws Exception {
        Map<String, String> texts = new HashMap<>();
        texts.put(of.getName().replace('.', '/'), name.getName().replace('.', '/'));
        return renamed(bytesOf(of.getName()), texts);
    }

    static void redefine(Class<?> old, Class<?> with) throws Exception {
        instrumentation.redefineClasses(new ClassDefinition(old, as(with, old)));
    }

    static void refused(String what, Class<?> old, byte[] file) {
        try {
            instrumentation.redefineClasses(new ClassDefinition(old, file));
            System.out.println(what + ": redefined");
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }

    static void refused(String what, Class<?> old, Class<?> with) throws Exception {
        refused(what, old, as(with, old));
    }

    public static void main(String[] args) throws Throwable {
        System.out.println("attached: " + (attach() != null));
        bodies();
        running();
        interfaces();
        reflection();
        statics();
        dynamic();
        refusals();
        several();
        retransformed();
        traces();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        int value();
    }

    // --- bodies ---

    static class Base {
        int count = 7;
        int call(int a) {
            return a + count;
        }
        static String name() {
            return "old";
        }
        private int hidden() {
            return 1;
        }
        int viaHidden() {
            return hidden();
        }
        final long last(long a, double b) {
            return a - (long) b;
        }
    }

    static class Derived extends Base {
        int twice(int a) {
            return super.call(a) * 2;
        }
    }

    static class BaseTwo {
        int count = 99;
        int call(int a) {
            int sum = 0;
            for (int i = 0; i < a; i++) {
                sum += i * count;
            }
            return sum;
        }
        static String name() {
            return "new " + String.join(",", "a", "b");
        }
        private int hidden() {
            return 2;
        }
        int viaHidden() {
            return hidden();
        }
        final long last(long a, double b) {
            return Math.max(a, (long) b) * 1000L;
        }
    }

    static int loop(Base b, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += b.call(i);
        }
        return sum;
    }

    static void bodies() throws Throwable {
        Base base = new Base();
        Derived derived = new Derived();
        MethodHandle handle = MethodHandles.lookup().findVirtual(Base.class, "call", MethodType.methodType(int.class, int.class));
        IntSupplier lambda = () -> base.call(3);
        Method method = Base.class.getDeclaredMethod("call", int.class);
        for (int round = 0; round < 3; round++) {
            System.out.println(loop(base, 10) + " " + loop(derived, 10) + " " + derived.twice(5) + " " + Base.name() + " "
                    + base.viaHidden() + " " + base.last(5, 7.5) + " " + (int) handle.invokeExact(base, 4) + " "
                    + lambda.getAsInt() + " " + method.invoke(derived, 6) + " " + base.count);
            if (round == 0) {
                redefine(Base.class, BaseTwo.class);
            } else {
                redefine(Base.class, Base.class);
            }
        }
    }

    // --- frames that run old bodies ---

    static class Running {
        static String step(int depth) throws Exception {
            if (depth == 0) {
                redefine(Running.class, RunningTwo.class);
                return "changed";
            }
            String below = step(depth - 1);
            return below + " old" + depth + text();
        }
        static String text() {
            return "(t1)";
        }
    }

    static class RunningTwo {
        static String step(int depth) throws Exception {
            return "new" + depth + text();
        }
        static String text() {
            return "(t2)";
        }
    }

    static void running() throws Exception {
        System.out.println(Running.step(3));
        System.out.println(Running.step(3));
    }

    // --- interfaces ---

    interface Greets {
        default String greet(String name) {
            return "Hello " + name + suffix();
        }
        static String mark() {
            return "!";
        }
        private String suffix() {
            return mark();
        }
    }

    interface GreetsTwo {
        default String greet(String name) {
            Supplier<String> s = () -> "Salut " + name;
            return s.get() + suffix();
        }
        static String mark() {
            return "?";
        }
        private String suffix() {
            return mark() + mark();
        }
    }

    interface GreetsThree {
        default String greet(String name) {
            return name.toUpperCase() + suffix();
        }
        static String mark() {
            return "?";
        }
        private String suffix() {
            return mark() + mark();
        }
    }

    static class Polite implements Greets {
    }

    static class Rude extends Polite {
        @Override
        public String greet(String name) {
            return "Hey, " + super.greet(name);
        }
    }

    static void interfaces() throws Exception {
        Greets[] all = {new Polite(), new Rude(), new Greets() { }};
        for (int round = 0; round < 2; round++) {
            for (Greets g : all) {
                System.out.print(g.greet("you") + "; ");
            }
            System.out.println(((Polite) all[0]).greet("me"));
            if (round == 0) {
                refused("a lambda more", Greets.class, GreetsTwo.class);
                redefine(Greets.class, GreetsThree.class);
            }
        }
    }

    // --- reflection ---

    static class Shown {
        @Mark(1)
        int a;
        @Mark(2)
        @Deprecated
        String m(@Mark(3) int p) throws java.io.IOException {
            return "m" + p;
        }
    }

    static class ShownTwo {
        @Mark(10)
        int a;
        @Mark(20)
        String m(@Mark(30) @Deprecated int q) throws InterruptedException {
            return "mm" + q;
        }
    }

    static void shown(Method before) throws Exception {
        Method m = Shown.class.getDeclaredMethod("m", int.class);
        System.out.println(Arrays.toString(m.getDeclaredAnnotations()) + Arrays.deepToString(m.getParameterAnnotations())
                + Arrays.toString(m.getExceptionTypes()) + Arrays.toString(Shown.class.getDeclaredField("a").getDeclaredAnnotations())
                + m.invoke(new Shown(), 5) + before.invoke(new Shown(), 6) + before.equals(m));
    }

    static void reflection() throws Exception {
        Method before = Shown.class.getDeclaredMethod("m", int.class);
        shown(before);
        redefine(Shown.class, ShownTwo.class);
        shown(before);
    }

    // --- static state stays, initializers don't run again ---

    static class State {
        static int n = init(5);
        static final Object LOCK = new Object();
        static int init(int i) {
            System.out.println("initialized " + i);
            return i;
        }
        static synchronized int next() {
            return n++;
        }
    }

    static class StateTwo {
        static int n = init(50);
        static final Object LOCK = new Object();
        static int init(int i) {
            System.out.println("initialized again " + i);
            return i;
        }
        static synchronized int next() {
            return n += 100;
        }
    }

    static void statics() throws Exception {
        System.out.println(State.next() + " " + State.next());
        Object lock = State.LOCK;
        redefine(State.class, StateTwo.class);
        System.out.println(State.next() + " " + State.next() + " " + (lock == State.LOCK));
    }

    // --- call sites, constants ---

    static class Dynamic {
        static String text(int a, String b) {
            return "a" + a + b;
        }
        static Object lambda(int a) {
            Supplier<Object> s = () -> a + 1;
            return s.get();
        }
        static Class<?> type() {
            return Integer.class;
        }
        static String sw(String s) {
            return switch (s) {
                case "x" -> "one";
                case "y" -> "two";
                default -> "many";
            };
        }
    }

    static class DynamicTwo {
        static String text(int a, String b) {
            return b + ":" + a + ":" + b + 1.5 + 'c' + 7L;
        }
        static Object lambda(int a) {
            Supplier<Object> s = () -> "<" + a + ">";
            return s.get();
        }
        static Class<?> type() {
            return String[][].class;
        }
        static String sw(String s) {
            return switch (s) {
                case "y" -> "deux";
                case "z" -> "trois";
                default -> s + s;
            };
        }
    }

    static void dynamic() throws Exception {
        for (int round = 0; round < 3; round++) {
            System.out.println(Dynamic.text(1, "b") + " " + Dynamic.lambda(4) + " " + Dynamic.type().getName() + " "
                    + Dynamic.sw("y") + Dynamic.sw("q"));
            redefine(Dynamic.class, round == 0 ? DynamicTwo.class : Dynamic.class);
        }
    }

    // --- what is refused ---

    static class Plain implements Runnable {
        int a;
        static String s;
        public void run() {
        }
        int f(int x) {
            return x;
        }
    }

    static class MoreMethods implements Runnable {
        int a;
        static String s;
        public void run() {
        }
        int f(int x) {
            return x;
        }
        void g() {
        }
    }

    static class FewerMethods implements Runnable {
        int a;
        static String s;
        public void run() {
        }
    }

    static class MoreFields implements Runnable {
        int a;
        int b;
        static String s;
        public void run() {
        }
        int f(int x) {
            return x;
        }
    }

    static class OtherFields implements Runnable {
        long a;
        static String s;
        public void run() {
        }
        int f(int x) {
            return x;
        }
    }

    static class OtherFlags implements Runnable {
        int a;
        static String s;
        public final void run() {
        }
        int f(int x) {
            return x;
        }
    }

    static class OtherInterfaces implements Cloneable {
        int a;
        static String s;
        public void run() {
        }
        int f(int x) {
            return x;
        }
    }

    static class OtherSuper extends java.util.ArrayList<Object> implements Runnable {
        int a;
        static String s;
        public void run() {
        }
        int f(int x) {
            return x;
        }
    }

    static abstract class OtherModifiers implements Runnable {
        int a;
        static String s;
        public void run() {
        }
        int f(int x) {
            return x;
        }
    }

    record Point(int x, int y) {
    }

    record PointTwo(int x, int y, int z) {
    }

    enum Color {
        RED
    }

    static void refusals() throws Exception {
        refused("more methods", Plain.class, MoreMethods.class);
        refused("fewer methods", Plain.class, FewerMethods.class);
        refused("more fields", Plain.class, MoreFields.class);
        refused("other fields", Plain.class, OtherFields.class);
        refused("other flags", Plain.class, OtherFlags.class);
        refused("other interfaces", Plain.class, OtherInterfaces.class);
        refused("other superclass", Plain.class, OtherSuper.class);
        refused("other modifiers", Plain.class, OtherModifiers.class);
        refused("other record", Point.class, PointTwo.class);
        refused("other name", Plain.class, bytesOf("Redefine$MoreMethods"));
        refused("no class file", Plain.class, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        refused("nothing", Plain.class, new byte[0]);
        byte[] own = bytesOf("Redefine$Plain");
        refused("cut", Plain.class, Arrays.copyOf(own, own.length - 3));
        byte[] newer = own.clone();
        newer[7] = 99;
        refused("newer", Plain.class, newer);
        refused("itself", Plain.class, own);
        byte[] broken = as(Verified.class, Verified.class);
        // ireturn becomes areturn
        int at = -1;
        for (int i = 0; i + 2 < broken.length; i++) {
            if (broken[i] == (byte) 0x04 && broken[i + 1] == (byte) 0xac) {
                at = i + 1;
            }
        }
        broken[at] = (byte) 0xb0;
        refused("not verified", Verified.class, broken);
        refused("array", int[].class, own);
        refused("primitive", int.class, own);
        System.out.println(instrumentation.isModifiableClass(int[].class) + " " + instrumentation.isModifiableClass(int.class) + " "
                + instrumentation.isModifiableClass(Plain.class) + " " + instrumentation.isModifiableClass(String.class) + " "
                + instrumentation.isModifiableClass(((Supplier<?>) () -> 1).getClass()) + " "
                + instrumentation.isModifiableClass(Color.class));
        try {
            instrumentation.redefineClasses(new ClassDefinition(Plain.class, own), null);
        } catch (Throwable t) {
            System.out.println(t);
        }
        try {
            instrumentation.retransformClasses(int[].class);
        } catch (Throwable t) {
            System.out.println(t);
        }
        System.out.println(new Plain().f(3));
    }

    static class Verified {
        int f() {
            return 1;
        }
    }

    // --- all or nothing ---

    static class One {
        static int f() {
            return 1;
        }
    }

    static class OneNew {
        static int f() {
            return 11;
        }
    }

    static class Two {
        static int f() {
            return 2;
        }
    }

    static class TwoNew {
        static int f() {
            return 22;
        }
    }

    static class TwoBad {
        static int f() {
            return 22;
        }
        static int g() {
            return 22;
        }
    }

    static void several() throws Exception {
        System.out.println(One.f() + " " + Two.f());
        try {
            instrumentation.redefineClasses(new ClassDefinition(One.class, as(OneNew.class, One.class)),
                    new ClassDefinition(Two.class, as(TwoBad.class, Two.class)));
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(One.f() + " " + Two.f());
        instrumentation.redefineClasses(new ClassDefinition(One.class, as(OneNew.class, One.class)),
                new ClassDefinition(Two.class, as(TwoNew.class, Two.class)));
        System.out.println(One.f() + " " + Two.f());
    }

    // --- retransformation ---

    static class Again {
        static String f() {
            return "version one";
        }
    }

    static void retransformed() throws Exception {
        ClassFileTransformer replace = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] file) {
                if (old != Again.class) {
                    return null;
                }
                System.out.println("transform " + name + " " + (domain == Redefine.class.getProtectionDomain()) + " "
                        + (loader == Redefine.class.getClassLoader()));
                Map<String, String> texts = new HashMap<>();
                texts.put("version one", "version two");
                try {
                    return renamed(file, texts);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        System.out.println(Again.f());
        instrumentation.addTransformer(replace, true);
        instrumentation.retransformClasses(Again.class);
        System.out.println(Again.f());
        instrumentation.retransformClasses(Again.class);
        System.out.println(Again.f());
        System.out.println(instrumentation.removeTransformer(replace) + " " + instrumentation.removeTransformer(replace));
        System.out.println(Again.f());
        instrumentation.retransformClasses(Again.class);
        System.out.println(Again.f());
    }

    // --- stack traces ---

    static class Traced {
        static void fail(int n) throws Exception {
            if (n == 0) {
                redefine(Traced.class, TracedTwo.class);
                throw new IllegalStateException("old");
            }
            fail(n - 1);
        }
    }

    static class TracedTwo {
        static void fail(int n) throws Exception {
            // another line
            throw new IllegalStateException("new");
        }
    }

    static void traces() {
        for (int i = 0; i < 2; i++) {
            try {
                Traced.fail(2);
            } catch (Exception e) {
                StringBuilder s = new StringBuilder(e.getMessage());
                for (StackTraceElement f : e.getStackTrace()) {
                    s.append(' ').append(f.getClassName()).append('.').append(f.getMethodName()).append(':')
                            .append(f.getLineNumber());
                }
                System.out.println(s);
            }
        }
    }
}
