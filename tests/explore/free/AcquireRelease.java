import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** VarHandles: release and acquire, fences, and a lock made of compare-and-set. */
public class AcquireRelease {

    static int data, more, guarded, flag, fenced, lock;
    static final VarHandle FLAG, FENCED, LOCK;

    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            FLAG = l.findStaticVarHandle(AcquireRelease.class, "flag", int.class);
            FENCED = l.findStaticVarHandle(AcquireRelease.class, "fenced", int.class);
            LOCK = l.findStaticVarHandle(AcquireRelease.class, "lock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void add() {
        while (!LOCK.weakCompareAndSetAcquire(0, 1)) Thread.yield();
        guarded++;
        LOCK.setRelease(0);
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            data = 1;
            FLAG.setRelease(1);
            more = 2;
            VarHandle.releaseFence();
            FENCED.setOpaque(1);
            add();
        });
        Thread b = new Thread(() -> {
            if ((int) FLAG.getAcquire() == 1 && data != 1) throw new AssertionError("data");
            if ((int) FENCED.getOpaque() == 1) {
                VarHandle.acquireFence();
                if (more != 2) throw new AssertionError("more");
            }
            add();
        });
        a.start();
        b.start();
        a.join();
        b.join();
        if (guarded != 2) throw new AssertionError(guarded);
    }
}
