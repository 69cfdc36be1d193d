import java.util.ArrayList;
import java.util.List;

/** A thousand classes each of which extends the one before, and as many interfaces: linked and initialized from the end. */
public class LongChains extends ClassLoader {
    static final int LENGTH = 1000;
    static final List<String> order = new ArrayList<>();

    public static void note(String name) {
        order.add(name);
    }

    static byte[] type(String prefix, int i, boolean isInterface) {
        String name = prefix + i, before = prefix + (i - 1), object = "java/lang/Object";
        int access = Asm.PUBLIC | (isInterface ? Asm.INTERFACE | Asm.ABSTRACT : Asm.SUPER);
        Asm a = new Asm(52, name, isInterface || i == 0 ? object : before, access);
        if (isInterface && i > 0) {
            a.implement(before);
        }
        if (isInterface && i % 100 == 7) {
            a.code(Asm.PUBLIC, "f" + i, "()V", 0, 1).op(0xb1).end();
        }
        if (i % 250 == 7) {
            a.code(Asm.STATIC, "<clinit>", "()V", 1, 0).ref(0x13, a.string(name)).ref(0xb8, a.method("LongChains", "note", "(Ljava/lang/String;)V")).op(0xb1).end();
        }
        return a.build();
    }

    Class<?> chain(String prefix, boolean isInterface) {
        Class<?> last = null;
        for (int i = 0; i < LENGTH; i++) {
            byte[] b = type(prefix, i, isInterface);
            last = defineClass(null, b, 0, b.length);
        }
        return last;
    }

    public static void main(String[] args) throws Exception {
        LongChains l = new LongChains();
        Class<?> last = l.chain("C", false);
        System.out.println(Class.forName(last.getName(), true, l) == last);
        System.out.println(order);
        order.clear();
        Class<?> lastInterface = l.chain("I", true);
        Asm a = new Asm(52, "Both");
        a.implement(lastInterface.getName());
        byte[] b = a.build();
        Class<?> both = l.defineClass(null, b, 0, b.length);
        System.out.println(Class.forName("Both", true, l) == both);
        System.out.println(order);
        System.out.println(last.getMethods().length > 0);
        try {
            Class.forName("[".repeat(60_000) + "I", true, l);
        } catch (ClassNotFoundException e) {
            System.out.println(e.getMessage().length());
        }
    }
}
