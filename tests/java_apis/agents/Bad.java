import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import rjvm.agent.IC;
import rjvm.agent.Profiler;
import rjvm.agent.RC;

/** Misbehaves in its third report, as -Dbad says. */
public class Bad implements Profiler {
    private int calls;

    public Bad() {
        if (bad("constructor")) {
            throw new IllegalStateException("not today");
        }
        if (bad("hook")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                throw new IllegalStateException("hook");
            }));
        }
        if (bad("hookwait")) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::waitForEver));
        }
    }

    private static boolean bad(String how) {
        return how.equals(System.getProperty("bad"));
    }

    private static int deeper(int n) {
        return deeper(n + 1) + 1;
    }

    private synchronized void waitForEver() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Takes one lock after the other, once both threads have their first. */
    private static void lockBoth(Object one, Object other, CyclicBarrier both) {
        synchronized (one) {
            try {
                both.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new AssertionError(e);
            }
            synchronized (other) {
                throw new AssertionError();
            }
        }
    }

    @Override
    public int register(Thread t, RC rc) {
        if (bad("register")) {
            throw new IllegalStateException("no " + t.getName());
        }
        if (bad("registerexit")) {
            System.exit(6);
        }
        return bad("zero") ? 0 : 5_000;
    }

    @Override
    public int report(RC rc, IC currentIC) {
        if (++calls != 3) {
            return 5_000;
        }
        switch (System.getProperty("bad")) {
            case "throw":
                throw new IllegalStateException("boom");
            case "memory":
                List<byte[]> all = new ArrayList<>();
                while (true) {
                    all.add(new byte[1 << 20]);
                }
            case "stack":
                return deeper(0);
            case "negative":
                return -5;
            case "exit":
                System.exit(3);
                return 1;
            case "halt":
                Runtime.getRuntime().halt(4);
                return 1;
            case "wait":
                waitForEver();
                return 1;
            case "deadlock":
                Object one = new Object();
                Object other = new Object();
                CyclicBarrier both = new CyclicBarrier(2);
                new Thread(() -> lockBoth(other, one, both)).start();
                lockBoth(one, other, both);
                return 1;
            case "close":
                System.out.close();
                System.err.close();
                return 5_000;
            case "threadexit":
                new Thread(() -> System.exit(5)).start();
                Thread.yield();
                return 5_000;
            case "threadthrow":
                new Thread(() -> {
                    throw new IllegalStateException("not mine");
                }).start();
                return 5_000;
            case "threadmemory":
                new Thread(() -> {
                    List<byte[]> more = new ArrayList<>();
                    while (true) {
                        more.add(new byte[1 << 20]);
                    }
                }).start();
                return 5_000;
            case "daemon":
                for (int i = 0; i < 100; i++) {
                    Thread daemon = new Thread(this::waitForEver);
                    daemon.setDaemon(true);
                    daemon.start();
                }
                return Integer.MAX_VALUE;
            case "input":
                try {
                    return System.in.read() == -1 ? 5_000 : 0;
                } catch (java.io.IOException e) {
                    return 0;
                }
            case "thread":
                new Thread(() -> {
                    while (true) {
                        Thread.yield();
                    }
                }).start();
                return 5_000;
            case "loop":
                System.out.println("looping");
                while (true) {
                    calls++;
                }
            case "sleep":
                System.out.println("looping");
                try {
                    Thread.sleep(1_000_000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return 1;
            case "clear":
                rc.callees.clear();
                currentIC.callees.clear();
                return 5_000;
            default:
                return 5_000;
        }
    }
}
