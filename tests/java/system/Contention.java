import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** How often and how long threads were blocked and waiting, as the management interface tells. */
public class Contention {
    static final Object LOCK = new Object();
    static volatile int wanted, done;
    static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
    static Thread thread;

    static void work() {
        try {
            for (int step = 1; step <= 7; step++) {
                while (wanted < step) Thread.onSpinWait();
                switch (step) {
                    case 1, 2 -> { synchronized (LOCK) { } }
                    case 3 -> { synchronized (LOCK) { LOCK.wait(); } }
                    case 4 -> { synchronized (LOCK) { LOCK.wait(40); } }
                    case 5 -> Thread.sleep(40);
                    case 6 -> LockSupport.parkNanos(40_000_000);
                    case 7 -> { synchronized (LOCK) { } }
                }
                done = step;
            }
            while (wanted < 8) Thread.onSpinWait();
        } catch (InterruptedException e) {
            System.out.println(e);
        }
    }

    static String time(long millis, long atLeast) {
        return millis < 0 ? "unknown" : millis >= atLeast ? "at least " + atLeast + " ms" : millis + " ms";
    }

    static void tell(String what, long blocked, long waited) {
        ThreadInfo info = BEAN.getThreadInfo(thread.getId());
        System.out.println(what + ": blocked " + info.getBlockedCount() + ", " + time(info.getBlockedTime(), blocked)
                + "; waited " + info.getWaitedCount() + ", " + time(info.getWaitedTime(), waited));
    }

    static void await(int step) {
        while (done < step) Thread.onSpinWait();
    }

    static void reach(Thread.State state) {
        while (thread.getState() != state) Thread.onSpinWait();
    }

    static void block(int step) throws Exception {
        synchronized (LOCK) {
            wanted = step;
            reach(Thread.State.BLOCKED);
            Thread.sleep(30);
        }
        await(step);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(BEAN.isThreadContentionMonitoringSupported() + " " + BEAN.isThreadContentionMonitoringEnabled());
        thread = new Thread(Contention::work);
        thread.start();
        tell("new", 0, 0);
        block(1);
        tell("blocked, not measured", 0, 0);
        BEAN.setThreadContentionMonitoringEnabled(true);
        System.out.println(BEAN.isThreadContentionMonitoringEnabled());
        tell("measured from now on", 0, 0);
        block(2);
        tell("blocked", 25, 0);
        wanted = 3;
        reach(Thread.State.WAITING);
        Thread.sleep(30);
        synchronized (LOCK) {
            LOCK.notify();
        }
        await(3);
        tell("notified", 25, 25);
        wanted = 4;
        await(4);
        tell("waited in vain", 25, 60);
        wanted = 5;
        await(5);
        tell("slept", 25, 95);
        wanted = 6;
        await(6);
        tell("parked", 25, 130);
        ThreadInfo dumped = BEAN.dumpAllThreads(false, false)[0];
        System.out.println(dumped.getBlockedTime() >= 0);
        BEAN.setThreadContentionMonitoringEnabled(false);
        tell("no longer measured", 0, 0);
        BEAN.setThreadContentionMonitoringEnabled(true);
        tell("measured anew", 0, 0);
        wanted = 7;
        await(7);
        tell("not blocked", 0, 0);
        wanted = 8;
        thread.join();
        System.out.println(BEAN.getThreadInfo(thread.getId()));
    }
}
