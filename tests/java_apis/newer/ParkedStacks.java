import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Since 21. Stacks of virtual threads that wait: they end at the method that has left the carrier. */
public class ParkedStacks {
    static final Object LOCK = new Object();

    static void sleep() {
        try {
            Thread.sleep(100_000);
        } catch (InterruptedException e) {
            System.out.println("woken");
        }
    }

    static void print(Thread thread) {
        System.out.println(thread.getName() + " " + thread.getState());
        for (StackTraceElement e : thread.getStackTrace()) {
            System.out.println("  " + e.getClassName().replaceAll("\\$.*", "") + "." + e.getMethodName() + " " + e.isNativeMethod());
        }
    }

    public static void main(String[] args) throws Exception {
        List<Thread> all = List.of(
                Thread.ofVirtual().name("parked").unstarted(LockSupport::park),
                Thread.ofVirtual().name("for a time").unstarted(() -> LockSupport.parkNanos(100_000_000_000L)),
                Thread.ofVirtual().name("sleeping").unstarted(ParkedStacks::sleep));
        for (Thread thread : all) {
            thread.start();
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
            print(thread);
        }
        all.get(2).interrupt();
        all.get(2).join();
        Thread yields = Thread.ofVirtual().name("yielding").start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.yield();
            }
        });
        for (int i = 0; i < 20; i++) {
            for (StackTraceElement e : yields.getStackTrace()) {
                if (e.getMethodName().equals("doYield")) {
                    System.out.println("yields");
                }
            }
        }
        yields.interrupt();
        yields.join();
        System.out.println(yields.getStackTrace().length);
    }
}
