import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/** Methods that compiled code has in it get other bodies: Redefined ROUNDS. */
public class Redefined {
    static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Small {
        int x = 3;
        int value() { return x; }
        static int twice(int a) { return a * 2; }
        static int never(int a) { return a - 1; }
    }
    static class Other {
        int x = 4;
        int value() { return x + 100; }
        static int twice(int a) {
            int sum = 0;
            for (int i = 0; i < 2; i++) {
                sum += a + 1;
            }
            return sum;
        }
        static int never(int a) { throw new IllegalStateException("other" + a); }
    }

    static void redefine(Class<?> old, Class<?> with) throws Exception {
        byte[] file = OwnAgent.renamed(OwnAgent.bytesOf(with.getName()), text -> text.equals("Redefined$Other") ? "Redefined$Small"
                : text.replace("LRedefined$Other;", "LRedefined$Small;"));
        instrumentation.redefineClasses(new ClassDefinition(old, file));
    }

    static long loop(int n, int when) throws Exception {
        Small small = new Small();
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i == when) {
                redefine(Small.class, Other.class);
            }
            sum = sum * 3 + small.value() + Small.twice(i);
            try {
                sum += Small.never(i);
            } catch (IllegalStateException e) {
                sum += e.getMessage().length() + e.getStackTrace()[0].getMethodName().length();
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        OwnAgent.attach("Redefined", "", OwnAgent.REDEFINE);
        System.out.println(loop(n, -1) + " " + loop(n, -1) + " " + loop(n, n / 2) + " " + loop(n / 8, -1));
    }
}
