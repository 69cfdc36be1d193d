import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/** Calls on method and variable handles that are null: the exception, its message, and where it is thrown. */
public class NullHandles {
    interface Body {
        void run() throws Throwable;
    }

    static MethodHandle mh;
    static VarHandle vh;
    int f;
    MethodHandle[] a = new MethodHandle[1];
    MethodHandle m;

    VarHandle v() {
        return null;
    }

    static void test(Body body) {
        try {
            body.run();
            System.out.println("nothing");
        } catch (Throwable e) {
            System.out.println(e.getMessage() + " at " + e.getStackTrace()[0]);
        }
    }

    public static void main(String[] args) {
        // linked by the first round, and called again
        for (int i = 0; i < 2; i++) {
            test(() -> mh.invokeExact());
            test(() -> mh.invoke(1, "x"));
            test(() -> { int y = (int) vh.get(new NullHandles()); });
            test(() -> vh.set(new NullHandles(), 1));
            test(() -> { MethodHandle l = null; l.invoke(); });
            test(() -> new NullHandles().a[0].invokeExact(1L, 2.0, new int[0]));
            test(() -> new NullHandles().m.invoke((Object) null));
            test(() -> { boolean b = vh.compareAndSet(new NullHandles(), 1, 2); });
            test(() -> { int y = (int) new NullHandles().v().getAndAdd(new NullHandles(), 1); });
            test(() -> { String s = (String) mh.invokeExact("a"); });
            test(() -> { int y = (int) vh.getVolatile(); });
            test(() -> vh.setRelease((byte) 1));
            test(() -> mh.invokeWithArguments());
            test(() -> vh.accessModeType(VarHandle.AccessMode.GET));
            test(() -> MethodHandles.invoker(MethodType.methodType(void.class)).invoke((MethodHandle) null));
        }
        // the same call with a handle and without
        for (int i = 0; i < 4; i++) {
            MethodHandle h = i % 2 == 0 ? MethodHandles.constant(String.class, "called") : null;
            test(() -> System.out.println((String) h.invokeExact()));
        }
    }
}
