import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is there of `DestroyJavaVM` while other threads run on after main has ended. */
public class AfterMain {
    static List<Thread> group() {
        Thread[] found = new Thread[16];
        int n = Thread.currentThread().getThreadGroup().enumerate(found);
        return new ArrayList<>(Arrays.asList(found).subList(0, n));
    }

    static Thread destroyer() throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            for (Thread t : group()) {
                if (t.getName().equals("DestroyJavaVM")) {
                    return t;
                }
            }
            Thread.sleep(10);
        }
        throw new AssertionError(group().toString());
    }

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Thread after = new Thread(() -> {
            try {
                main.join();
                Thread t = destroyer();
                System.out.println(t.getName() + ", " + t.getPriority() + ", " + t.getThreadGroup().getName() + ", daemon " + t.isDaemon() + " alive " + t.isAlive() + " " + t.getState());
                System.out.println(Thread.activeCount() + " active, " + group().contains(t));
                System.out.println(t.getStackTrace().length + " frames, in all traces: "
                    + Thread.getAllStackTraces().containsKey(t));
                Thread next = new Thread(() -> {});
                System.out.println("its number is the one before the next: " + (t.getId() < next.getId()));
                System.out.println(ManagementFactory.getThreadMXBean().getThreadInfo(t.getId()).getThreadName());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    System.out.println("hook: still the same " + group().contains(t) + ", " + t.getState());
                }));
                next.start();
                next.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "after");
        after.start();
        System.out.println("main ends");
    }
}
