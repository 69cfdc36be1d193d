import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/** The paper's example: an instance of C is kept by one of D, which a local variable of a frame refers to. */
public class Keep {
    static final class C {
        final byte[] load = new byte[1000];
    }

    static final class D {
        final C held;

        D(C held) {
            this.held = held;
        }
    }

    static final Map<Integer, C> CACHE = new HashMap<>();
    static WeakReference<C> weak;

    static void b(String file, int n) throws Exception {
        D keeper = new D(new C());
        for (int i = 0; i < n; i++) {
            CACHE.put(i, new C());
        }
        weak = new WeakReference<>(new C());
        dump(file);
        System.out.println(keeper.held.load.length);
    }

    static void dump(String file) throws Exception {
        var bean = ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
        bean.dumpHeap(file, true);
    }

    public static void main(String[] args) throws Exception {
        b(args[0], Integer.parseInt(args[1]));
    }
}
