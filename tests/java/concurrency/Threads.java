import java.util.*;

/** Threads: states, join, names, groups, daemon, priorities, yield, ThreadLocal, interrupted flags, restarts. */
public class Threads {
    static final Object lock = new Object();
    static volatile boolean go;

    static void await(Thread t, Thread.State s) throws InterruptedException {
        while (t.getState() != s) Thread.sleep(1);
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.getPriority() + " " + main.isDaemon() + " " + main.getThreadGroup().getName() + " " + main.getState() + " " + main + " " + main.getThreadGroup().getParent().getName());
        Thread t = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted " + Thread.currentThread().isInterrupted());
                }
            }
        }, "waiter");
        System.out.println(t.getState() + " " + t.isAlive());
        t.start();
        await(t, Thread.State.WAITING);
        t.interrupt();
        t.join();
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.isInterrupted() + " " + t.getThreadGroup());
        try { t.start(); } catch (IllegalThreadStateException e) { System.out.println("not twice"); }
        Thread b = new Thread(() -> { synchronized (lock) { System.out.println("got the lock"); } }, "blocked");
        synchronized (lock) {
            b.start();
            await(b, Thread.State.BLOCKED);
            System.out.println(b.getState() + " " + Thread.holdsLock(lock));
        }
        b.join();
        Thread s = new Thread(() -> { try { Thread.sleep(100_000); } catch (InterruptedException e) { System.out.println("sleep interrupted: " + e.getMessage()); } });
        s.setDaemon(true);
        s.start();
        await(s, Thread.State.TIMED_WAITING);
        s.interrupt();
        s.join();
        main.interrupt();
        System.out.println(main.isInterrupted() + " " + Thread.interrupted() + " " + Thread.interrupted());
        main.interrupt();
        try { Thread.sleep(1); } catch (InterruptedException e) { System.out.println("at once " + main.isInterrupted()); }
        main.interrupt();
        try { s.join(); System.out.println("no wait, no exception"); } catch (InterruptedException e) { System.out.println("join interrupted"); }
        Thread.interrupted();
        ThreadLocal<StringBuilder> local = ThreadLocal.withInitial(() -> new StringBuilder("init"));
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>() { protected String childValue(String p) { return p + ">child"; } };
        inherited.set("parent");
        local.get().append("-main");
        String[] seen = new String[2];
        Thread l = new Thread(() -> { seen[0] = local.get().append("-other").toString(); seen[1] = inherited.get(); });
        l.start();
        l.join();
        System.out.println(local.get() + " " + seen[0] + " " + seen[1]);
        local.remove();
        System.out.println(local.get());
        Thread spin = new Thread(() -> { while (!go) Thread.onSpinWait(); System.out.println("released"); });
        spin.start();
        Thread.yield();
        go = true;
        spin.join();
        Thread timed = new Thread(() -> { });
        timed.setPriority(Thread.MAX_PRIORITY);
        timed.setName("n");
        System.out.println(timed.getPriority() + " " + timed + " " + Thread.MIN_PRIORITY);
        try { timed.setName(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        ThreadGroup g = new ThreadGroup("g"), sub = new ThreadGroup(g, "sub");
        g.setMaxPriority(3);
        Thread in = new Thread(sub, () -> { }, "in");
        in.setPriority(9);
        System.out.println(in.getPriority() + " " + sub.getMaxPriority() + " " + sub.getParent().getName() + " " + g.parentOf(sub) + " " + g.activeCount());
        int[] counter = new int[1];
        Thread[] ts = new Thread[8];
        for (int i = 0; i < 8; i++) { ts[i] = new Thread(() -> { for (int k = 0; k < 500; k++) synchronized (counter) { counter[0]++; } }); ts[i].start(); }
        for (Thread x : ts) x.join();
        System.out.println(counter[0]);
        Thread slow = new Thread(() -> { try { Thread.sleep(50_000); } catch (InterruptedException e) { } });
        slow.start();
        slow.join(5);
        System.out.println(slow.isAlive());
        slow.interrupt();
        slow.join();
        Object[] ids = {new Thread().getId() < new Thread().getId(), Thread.getAllStackTraces().containsKey(main), main.getContextClassLoader() == Threads.class.getClassLoader(), Thread.activeCount() >= 1};
        System.out.println(Arrays.toString(ids));
    }
}
