import java.lang.invoke.*;

/** Release and acquire. */
public class VarHandles {
    static int data;
    static boolean ready;
    static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findStaticVarHandle(VarHandles.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = Check.start(() -> {
            data = 42;
            READY.setRelease(true);
        });
        while (!(boolean) READY.getAcquire()) {
            Thread.yield();
        }
        Check.that(data == 42, data);
        Check.join(t);
    }
}
