/** Failing initialisers: ExceptionInInitializerError once, NoClassDefFoundError afterwards, Errors pass unwrapped. */
public class InitFailures {
    static class Throws { static int x = 1; static { if (x == 1) throw new IllegalStateException("static block"); } static void call() { } }
    static class ThrowsError { static int x; static { if (x == 0) throw new StackOverflowError("an error"); } }
    static class Arith { static int x = 1 / Integer.parseInt("0"); }
    static class SubOfFailed extends Throws { static int y = 5; }
    static class UsesFailed { static int z; static { try { z = Arith.x; } catch (Throwable t) { z = -1; System.out.println("inside: " + t); } } }
    static class Indirect { static int w = Chain.c; }
    static class Chain { static int c = Arith2.x; }
    static class Arith2 { static int x = one()[1]; static int[] one() { return new int[1]; } static { System.out.println("not reached"); } }
    static class Partly { static int first = 11; static int second = fail(); static int third = 33; static int fail() { keep = new Partly(); throw new RuntimeException("partly"); } int get() { return first * 100 + third; } }
    static Partly keep;

    interface Body { Object run() throws Throwable; }

    static void show(String what, Body b) {
        try {
            System.out.println(what + " = " + b.run());
        } catch (Throwable t) {
            System.out.print(what + " -> " + t);
            for (Throwable c = t.getCause(); c != null; c = c.getCause()) System.out.print(" <- " + c);
            System.out.println();
        }
    }

    public static void main(String[] args) {
        show("field", () -> Throws.x);
        show("field again", () -> Throws.x);
        show("call", () -> { Throws.call(); return 0; });
        show("new", () -> new Throws());
        show("subclass", () -> SubOfFailed.y);
        show("subclass again", () -> SubOfFailed.y);
        show("error", () -> ThrowsError.x);
        show("error again", () -> ThrowsError.x);
        show("uses", () -> UsesFailed.z);
        show("arith", () -> Arith.x);
        show("indirect", () -> Indirect.w);
        show("indirect again", () -> Indirect.w);
        show("chain", () -> Chain.c);
        show("partly", () -> Partly.first);
        show("instance of a failed class", () -> keep.get());
        show("forName", () -> Class.forName("InitFailures$Arith2"));
        show("forName false", () -> Class.forName("InitFailures$Arith2", false, InitFailures.class.getClassLoader()).getSimpleName());
        show("reflection", () -> Arith2.class.getDeclaredField("x").getInt(null));
        show("newInstance", () -> Throws.class.getDeclaredConstructor().newInstance());
        show("array", () -> new Throws[3].length);
        show("literal", () -> Throws.class.getSimpleName());
        show("instanceof", () -> (Object) "s" instanceof Throws);
    }
}
