import java.util.ArrayList;
import java.util.List;
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
    }

    private static boolean bad(String how) {
        return how.equals(System.getProperty("bad"));
    }

    private static int deeper(int n) {
        return deeper(n + 1) + 1;
    }

    @Override
    public int register(Thread t, RC rc) {
        if (bad("register")) {
            throw new IllegalStateException("no " + t.getName());
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
                synchronized (this) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                return 1;
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
