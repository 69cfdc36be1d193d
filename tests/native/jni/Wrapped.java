import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;

/** Methods around native ones, whose functions are found although agents' prefixes are before their names. */
public class Wrapped {
    static Instrumentation instrumentation;

    public static void agentmain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Plain {
        static native int number(int n);
    }

    static class Around {
        static int number(int n) {
            return 10 * two_one_number(n);
        }
        private static native int two_one_number(int n);
        private static native int two_number(int n);
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnisuite");
        System.out.println(Plain.number(1));
        OwnAgent.attach("Wrapped", null, OwnAgent.PREFIX, OwnAgent.REDEFINE);
        ClassFileTransformer one = new ClassFileTransformer() { }, two = new ClassFileTransformer() { };
        instrumentation.addTransformer(one);
        instrumentation.addTransformer(two);
        instrumentation.setNativeMethodPrefix(one, "one_");
        instrumentation.setNativeMethodPrefix(two, "two_");
        instrumentation.redefineClasses(OwnAgent.definition(Plain.class, Around.class));
        System.out.println(Plain.number(2));
    }
}
