import java.lang.invoke.*;
import java.lang.management.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/** Stack traces of other threads show hidden frames: of lambdas, method handles, proxies; those of exceptions do not. */
public class OtherFrames {
    static final CountDownLatch[] STEP = new CountDownLatch[1];
    static void rest() { STEP[0].countDown(); try { synchronized (STEP) { STEP.wait(); } } catch (InterruptedException e) { } }
    static int restInt(int x) { rest(); return x; }
    interface I { void go(); }
    static String text(StackTraceElement[] st) {
        StringBuilder b = new StringBuilder();
        for (StackTraceElement e : st) b.append("\n    ").append(e.toString().replaceAll("[0-9]+/0x[0-9a-f]+", "N").replaceAll("0x[0-9a-f]+", "N").replaceAll("@[0-9.+]+/", "/").replaceAll("java:[0-9]+\\)$", "java)").replaceAll("Proxy[0-9]+", "ProxyN").replaceAll("Accessor[0-9]+", "AccessorN"));
        return b.toString();
    }
    static void show(String what, Runnable r) throws Exception {
        STEP[0] = new CountDownLatch(1);
        Thread t = new Thread(r, "t");
        t.start();
        STEP[0].await();
        while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        System.out.println(what + text(t.getStackTrace()));
        System.out.println("  all: " + Arrays.equals(t.getStackTrace(), Thread.getAllStackTraces().get(t)));
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(t.getId(), Integer.MAX_VALUE);
        System.out.println("  info: " + Arrays.equals(t.getStackTrace(), info.getStackTrace()));
        System.out.println("  top 2: " + Arrays.equals(Arrays.copyOf(t.getStackTrace(), 2), ManagementFactory.getThreadMXBean().getThreadInfo(t.getId(), 2).getStackTrace()));
        t.interrupt();
        t.join();
    }
    public static void main(String[] args) throws Exception {
        show("lambda", () -> rest());
        show("reference", OtherFrames::rest);
        MethodHandle h = MethodHandles.lookup().findStatic(OtherFrames.class, "restInt", MethodType.methodType(int.class, int.class));
        show("handle", () -> { try { int x = (int) h.invokeExact(3); } catch (Throwable e) { throw new Error(e); } });
        MethodHandle f = MethodHandles.filterReturnValue(h, MethodHandles.identity(int.class).asType(MethodType.methodType(int.class, int.class)));
        show("proxy", () -> ((I) Proxy.newProxyInstance(OtherFrames.class.getClassLoader(), new Class<?>[] {I.class}, (p, m, a) -> { rest(); return null; })).go());
        show("handle as proxy", () -> MethodHandleProxies.asInterfaceInstance(IntUnaryOperator.class, h).applyAsInt(3));
        IntUnaryOperator o = OtherFrames::restInt;
        show("composed", () -> o.andThen(x -> x + 1).applyAsInt(1));
        // the current thread's own are those of an exception, or not
        Supplier<StackTraceElement[]> own = () -> Thread.currentThread().getStackTrace(), all = () -> Thread.getAllStackTraces().get(Thread.currentThread()), made = () -> new Exception().getStackTrace(), info = () -> ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().getId(), 100).getStackTrace();
        System.out.println("own" + text(own.get()));
        System.out.println("all" + text(all.get()));
        System.out.println("made" + text(made.get()));
        System.out.println("info" + text(info.get()));
    }
}
