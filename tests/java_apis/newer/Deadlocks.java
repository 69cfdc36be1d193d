import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Since 25: the management interface reports deadlocks of platform threads, not those with virtual ones. */
public class Deadlocks {
    static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    static String names(long[] ids, Thread... threads) {
        if (ids == null) return "none";
        return Arrays.stream(threads).map(t -> Arrays.stream(ids).anyMatch(id -> id == t.threadId()) ? "yes" : "no").toList()
            + " of " + ids.length;
    }

    static void report(String what, Thread... threads) {
        System.out.println(what + ": " + names(BEAN.findMonitorDeadlockedThreads(), threads) + ", "
            + names(BEAN.findDeadlockedThreads(), threads));
    }

    static Thread.Builder builder(char kind) {
        return kind == 'P' ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
    }

    static void monitors(String kinds) throws Exception {
        Object a = new Object(), b = new Object();
        CountDownLatch both = new CountDownLatch(2);
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            Object first = i == 0 ? a : b, second = i == 0 ? b : a;
            threads[i] = builder(kinds.charAt(i)).start(() -> {
                synchronized (first) {
                    both.countDown();
                    try {
                        both.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    synchronized (second) {
                        System.out.println("never");
                    }
                }
            });
        }
        for (Thread t : threads) await(t, Thread.State.BLOCKED);
        report("monitors " + kinds, threads);
    }

    static void locks(String kinds) throws Exception {
        ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            ReentrantLock first = i == 0 ? a : b, second = i == 0 ? b : a;
            threads[i] = builder(kinds.charAt(i)).start(() -> {
                first.lock();
                try {
                    both.countDown();
                    both.await();
                    second.lockInterruptibly();
                    second.unlock();
                } catch (InterruptedException e) {
                } finally {
                    first.unlock();
                }
            });
        }
        both.await();
        for (Thread t : threads) await(t, Thread.State.WAITING);
        while (!a.hasQueuedThread(threads[1]) || !b.hasQueuedThread(threads[0])) Thread.sleep(1);
        for (Thread t : threads) await(t, Thread.State.WAITING);
        report("locks " + kinds, threads);
        for (Thread t : threads) {
            t.interrupt();
            t.join();
        }
    }

    public static void main(String[] args) throws Exception {
        for (String kinds : new String[] {"VV", "PV", "VP"}) {
            monitors(kinds);
            locks(kinds);
        }
        locks("PP");
        monitors("PP");
    }
}
