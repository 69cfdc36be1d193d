import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** Threads of native code that attach themselves and call Java. */
public class Attached {
    static native void start(Attached l, int n);
    static native long join(int i);
    static native void later();
    static native int await(int how);

    final CountDownLatch all;
    final Set<String> seen = new TreeSet<>();
    int sum;

    Attached(int n) { all = new CountDownLatch(n); }

    int heard(String name, int i) throws Exception {
        synchronized (seen) {
            Thread t = Thread.currentThread();
            if (!t.getName().equals(name)) throw new Exception(t.getName());
            seen.add(name + " " + t.isDaemon() + " " + t.isAlive() + " " + t.getThreadGroup().getName() + " " + new Throwable().getStackTrace().length);
            sum += i;
        }
        if (i == 5) {
            Thread.sleep(10);
        }
        if (i == 9) all.countDown();
        if (i == 7) throw new Exception("thrown");
        return i;
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnisuite");
        Attached l = new Attached(20);
        start(l, 20);
        l.all.await();
        System.out.println(l.sum);
        for (String s : l.seen) System.out.println(s);
        Attached m = new Attached(1);
        start(m, 0);
        later();
        m.all.await();
        System.out.println(m.seen);
        Attached waited = new Attached(5);
        start(waited, 3);
        for (int i = 0; i < 3; i++) System.out.println(join(i));
        System.out.println(await(0) + " " + join(0));
        System.out.println(await(1) + " " + join(0));
        System.out.println(waited.all.getCount());
        System.gc();
    }
}
