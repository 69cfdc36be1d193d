import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayDeque;

/**
 * Counts invocations and executed bytecodes by calling context, in the class library, too, except in Object, in classes that agents do
 * not see (hidden ones, as those of lambdas), and in classes with a method that would be too long.
 */
public final class Counting implements ClassFileTransformer {
    private final Counters counters;
    private int refused;

    private Counting(Counters counters) {
        this.counters = counters;
    }

    /**
     * Counts in the program's classes, too; when the program ends, the profile is in {@code file}, without the names of the library's
     * methods, which have the numbers below {@code library}.
     */
    public static void start(String file, String library, Instrumentation instrumentation) throws Exception {
        Counting counting = new Counting(new Counters(Integer.parseInt(library)));
        instrumentation.addTransformer(counting);
        CallNode.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> counting.write(file)));
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] file) {
        if (module.isNamed() || loader == Counting.class.getClassLoader()) {
            return null;
        }
        CallNode before = CallNode.pause();
        try {
            return counters.add(file);
        } catch (Throwable e) {
            refused++;
            return null;
        } finally {
            before.caught();
        }
    }

    private void write(String file) {
        CallNode.pause();
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file), 1 << 20))) {
            out.writeInt(refused);
            out.writeInt(counters.methods().size());
            for (String method : counters.methods()) {
                byte[] text = method.getBytes("UTF-8");
                out.writeInt(text.length);
                out.write(text);
            }
            ArrayDeque<CallNode> todo = new ArrayDeque<>();
            for (CallNode root = CallNode.firstRoot(); root != null; root = root.nextRoot()) {
                todo.push(root);
            }
            while (!todo.isEmpty()) {
                CallNode context = todo.pop();
                int children = 0;
                for (CallNode child = context.firstChild(); child != null; child = child.nextSibling()) {
                    todo.push(child);
                    children++;
                }
                number(out, context.method + 1);
                number(out, children);
                number(out, context.calls);
                number(out, context.bytecodes);
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void number(DataOutputStream out, long value) throws IOException {
        for (; value > 127; value >>>= 7) {
            out.write((int) (value & 127 | 128));
        }
        out.write((int) value);
    }
}
