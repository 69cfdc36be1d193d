import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Since 25. Dumps of all threads into files, virtual ones and the monitors that they have included. */
public class ThreadDumps {
    static final Object LOCK = new Object();
    static final Object OTHER = new Object();

    static void awaits(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    static synchronized void waits() {
        try {
            ThreadDumps.class.wait();
        } catch (InterruptedException e) {
            System.out.println("woken");
        }
    }

    static void until(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    static String without(String line) {
        return line.replaceAll("[0-9]{4}-[0-9T:.-]*Z", "TIME").replaceAll("@[0-9a-f]+", "@HASH").replaceAll("#[0-9]+ ", "#N ")
                .replaceAll("(java.base.*|jdk.management.*|java.util.*)[.]java:[0-9]+", "$1.java").replaceAll("},$", "}");
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread owner = Thread.ofVirtual().name("owner").start(() -> {
            synchronized (OTHER) {
                synchronized (LOCK) {
                    awaits(end);
                }
            }
        });
        until(owner, Thread.State.WAITING);
        Thread blocked = Thread.ofPlatform().name("blocked-", 3).daemon().start(() -> {
            synchronized (LOCK) { System.out.println("in"); }
        });
        until(blocked, Thread.State.BLOCKED);
        Thread waiting = Thread.ofVirtual().name("waiting").start(ThreadDumps::waits);
        until(waiting, Thread.State.WAITING);
        Thread waits = Thread.ofPlatform().name("waits").start(ThreadDumps::waits);
        until(waits, Thread.State.WAITING);
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("task-", 0).factory())) {
            executor.submit(() -> awaits(end));
            Thread.sleep(30);
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            for (var format : HotSpotDiagnosticMXBean.ThreadDumpFormat.values()) {
                Path file = Files.createTempFile("threads", ".txt");
                Files.delete(file);
                bean.dumpThreads(file.toAbsolutePath().toString(), format);
                boolean shown = false;
                int depth = 0;
                for (String line : Files.readAllLines(file)) {
                    // our own threads; those of the VM have other numbers, and other names
                    if (line.startsWith("#")) {
                        shown = line.matches(".*\"(main|owner|blocked-3|waiting|waits|task-0)\".*");
                    } else if (line.strip().startsWith("\"name\"")) {
                        shown = line.matches(".*\"(main|owner|blocked-3|waiting|waits|task-0)\".*");
                    } else if (line.strip().matches("\"(tid|threadCount)\".*")) {
                        shown = false;
                    }
                    if (shown) {
                        System.out.println(without(line));
                    }
                }
                Files.delete(file);
            }
            end.countDown();
        }
        synchronized (ThreadDumps.class) {
            ThreadDumps.class.notifyAll();
        }
        for (Thread thread : new Thread[] {owner, blocked, waiting, waits}) {
            thread.join();
        }
    }
}
