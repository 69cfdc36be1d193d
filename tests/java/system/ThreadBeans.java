import java.lang.management.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.*;

/** ThreadMXBean: states, locks and owners of threads; deadlocks among monitors and among locks; pools and collectors. */
public class ThreadBeans {
    static final Object first = new Object(), second = new Object();
    static final ReentrantLock third = new ReentrantLock(), fourth = new ReentrantLock();

    static Thread start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    static void until(Thread t, Thread.State s) throws Exception {
        while (t.getState() != s) Thread.sleep(1);
    }

    static void both(Object a, Object b, CountDownLatch held) {
        synchronized (a) {
            held.countDown();
            try { held.await(); } catch (InterruptedException e) { return; }
            synchronized (b) { System.out.println("never"); }
        }
    }

    static void both(Lock a, Lock b, CountDownLatch held) {
        a.lock();
        held.countDown();
        try { held.await(); } catch (InterruptedException e) { return; }
        b.lock();
    }

    static void print(ThreadInfo i) {
        LockInfo lock = i.getLockInfo();
        System.out.println(i.getThreadName() + " " + i.getThreadState() + " " + (lock == null ? null : lock.getClassName()) + " " + i.getLockOwnerName() + " " + i.isSuspended() + i.isInNative() + " " + i.getStackTrace().length);
    }

    public static void main(String[] args) throws Exception {
        ThreadMXBean b = ManagementFactory.getThreadMXBean();
        System.out.println((b.findDeadlockedThreads() == null) + " " + (b.findMonitorDeadlockedThreads() == null));
        CountDownLatch held = new CountDownLatch(2);
        Thread one = start("one", () -> both(first, second, held)), two = start("two", () -> both(second, first, held));
        until(one, Thread.State.BLOCKED);
        until(two, Thread.State.BLOCKED);
        for (ThreadInfo i : b.getThreadInfo(new long[] {one.getId(), two.getId()})) print(i);
        System.out.println(b.findMonitorDeadlockedThreads().length + " " + b.findDeadlockedThreads().length);
        CountDownLatch held2 = new CountDownLatch(2);
        Thread three = start("three", () -> both(third, fourth, held2)), four = start("four", () -> both(fourth, third, held2));
        while (b.findDeadlockedThreads().length < 4) Thread.sleep(1);
        for (ThreadInfo i : b.getThreadInfo(new long[] {three.getId(), four.getId()}, 0)) print(i);
        System.out.println(b.findMonitorDeadlockedThreads().length + " " + b.findDeadlockedThreads().length);
        ThreadInfo[] deep = b.getThreadInfo(new long[] {one.getId()}, 1);
        System.out.println(deep[0].getStackTrace()[0].getMethodName() + " " + deep[0].getStackTrace().length);
        Thread waits = start("waits", () -> { synchronized (b) { try { b.wait(); } catch (InterruptedException e) { } } });
        until(waits, Thread.State.WAITING);
        ThreadInfo w = b.getThreadInfo(waits.getId(), Integer.MAX_VALUE);
        System.out.println(w.getThreadState() + " " + w.getLockInfo().getClassName().equals(b.getClass().getName()) + " " + w.getStackTrace()[0].getMethodName());
        System.out.println(b.getThreadInfo(Thread.currentThread().getId()).getThreadState());
        try { b.getThreadInfo(-1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        boolean found = false;
        for (long id : b.getAllThreadIds()) found |= id == one.getId();
        System.out.println(found);
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) if (p.getType() == MemoryType.HEAP && p.getUsage().getUsed() < 0) System.out.println("?");
        System.out.println(ManagementFactory.getPlatformMBeanServer().getAttribute(new javax.management.ObjectName("java.lang:type=Runtime"), "SpecVersion"));
        System.out.println(ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).isEmpty());
    }
}
