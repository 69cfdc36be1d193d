import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;

/** Since 25: virtual threads leave their carriers wherever they wait. */
public class Carriers {
    static final Object LOCK = new Object();
    static int shared;

    static class Slow {
        static final int VALUE;
        static {
            LockSupport.parkNanos(5_000_000);
            VALUE = 42;
        }
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    static String trace(Thread thread) {
        return Arrays.stream(thread.getStackTrace()).map(StackTraceElement::toString)
            .filter(s -> s.contains("Carriers") || s.contains("VirtualThread.run"))
            .map(s -> s.replaceAll("lambda\\$\\w+\\$\\d+", "lambda").replaceAll("\\(.*", ""))
            .collect(Collectors.joining(" "));
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");

        Thread named = Thread.ofVirtual().name("named").start(() -> {
            System.out.println(Thread.currentThread().toString().replaceAll("#\\d+", "#N"));
            System.out.println(Thread.currentThread().isVirtual() + " " + Thread.currentThread().getState());
        });
        named.join();
        System.out.println(named.toString().replaceAll("#\\d+", "#N"));

        // one carrier: who waits for a monitor lets its owner go on
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                for (int k = 0; k < 10; k++) {
                    synchronized (LOCK) {
                        int old = shared;
                        LockSupport.parkNanos(1000);
                        shared = old + 1;
                    }
                }
            }));
        }
        for (Thread t : threads) t.join();
        System.out.println("shared " + shared);

        // Object.wait
        Thread waits = Thread.ofVirtual().name("waits").start(() -> {
            synchronized (LOCK) {
                synchronized (LOCK) {
                    try {
                        LOCK.wait();
                        System.out.println("notified " + Thread.holdsLock(LOCK));
                    } catch (InterruptedException e) {
                        System.out.println(e);
                    }
                }
                System.out.println(Thread.holdsLock(LOCK));
            }
            System.out.println(Thread.holdsLock(LOCK));
        });
        await(waits, Thread.State.WAITING);
        System.out.println(trace(waits));
        System.out.println(waits.toString().replaceAll("#\\d+", "#N"));
        synchronized (LOCK) {
            LOCK.notifyAll();
            await(waits, Thread.State.BLOCKED);
            System.out.println(waits.getState());
        }
        waits.join();

        Thread timed = Thread.ofVirtual().start(() -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait(20);
                    System.out.println("time is over " + Thread.holdsLock(LOCK));
                    LOCK.wait(1_000_000);
                    System.out.println("not interrupted");
                } catch (InterruptedException e) {
                    System.out.println(e + " " + Thread.currentThread().isInterrupted());
                }
            }
        });
        await(timed, Thread.State.TIMED_WAITING);
        Thread.sleep(60);
        await(timed, Thread.State.TIMED_WAITING);
        timed.interrupt();
        timed.join();

        // waiting for the owner of a monitor that sleeps
        Thread owner = Thread.ofVirtual().start(() -> {
            synchronized (LOCK) {
                try {
                    Thread.sleep(30);
                } catch (InterruptedException e) {
                    System.out.println(e);
                }
            }
        });
        await(owner, Thread.State.TIMED_WAITING);
        Thread blocked = Thread.ofVirtual().start(() -> {
            synchronized (LOCK) {
                System.out.println("entered");
            }
        });
        await(blocked, Thread.State.BLOCKED);
        System.out.println(trace(blocked));
        blocked.join();
        owner.join();

        // a platform thread and virtual ones on one monitor
        shared = 0;
        Runnable adds = () -> {
            for (int k = 0; k < 200; k++) {
                synchronized (LOCK) {
                    int old = shared;
                    Thread.yield();
                    shared = old + 1;
                }
            }
        };
        threads.clear();
        for (int i = 0; i < 3; i++) {
            threads.add(Thread.startVirtualThread(adds));
            threads.add(Thread.ofPlatform().start(adds));
        }
        for (Thread t : threads) t.join();
        System.out.println("shared " + shared);

        // a class that another virtual thread initializes
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> values = new ArrayList<>();
            for (int i = 0; i < 1; i++) values.add(executor.submit(() -> Slow.VALUE));
            for (var value : values) System.out.println(value.get());
        }

        // what a virtual thread is while it is carried
        Thread self = Thread.startVirtualThread(() -> {
            List<String> names = StackWalker.getInstance().walk(s -> s.map(StackWalker.StackFrame::getMethodName)
                .map(n -> n.replaceAll("lambda\\$\\w+\\$\\d+", "lambda")).toList());
            System.out.println(names);
            System.out.println(Thread.currentThread().getThreadGroup().getName());
            StackTraceElement[] all = new Throwable().getStackTrace();
            System.out.println(all[all.length - 1].getMethodName());
        });
        self.join();

        // thread-locals, interrupts before parking, permits
        Thread permit = Thread.ofVirtual().unstarted(() -> {
            LockSupport.park();
            LockSupport.park();
            System.out.println("parked twice");
        });
        permit.start();
        await(permit, Thread.State.WAITING);
        LockSupport.unpark(permit);
        await(permit, Thread.State.WAITING);
        LockSupport.unpark(permit);
        permit.join();
        Thread interrupted = Thread.startVirtualThread(() -> {
            Thread.currentThread().interrupt();
            LockSupport.park();
            System.out.println("not parked " + Thread.interrupted() + " " + Thread.interrupted());
        });
        interrupted.join();

        // deep stacks move from carrier to carrier
        Thread deep = Thread.startVirtualThread(() -> System.out.println(deep(500)));
        deep.join();
        Thread overflows = Thread.startVirtualThread(() -> {
            try {
                overflow(0);
            } catch (StackOverflowError e) {
                System.out.println("overflow");
            }
        });
        overflows.join();

        // exceptions
        Thread fails = Thread.ofVirtual().uncaughtExceptionHandler((t, e) -> System.out.println("caught " + e)).start(() -> {
            synchronized (LOCK) {
                Thread.yield();
                throw new IllegalStateException("inside");
            }
        });
        fails.join();
        synchronized (LOCK) {
            System.out.println("free");
        }
        var threadsNow = Thread.getAllStackTraces().keySet();
        System.out.println(threadsNow.stream().anyMatch(Thread::isVirtual));

        AtomicInteger sum = new AtomicInteger();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2000; i++) {
                int n = i;
                executor.submit(() -> {
                    Thread.sleep(n % 7);
                    return sum.addAndGet(n);
                });
            }
        }
        System.out.println(sum);
    }

    static int overflow(int n) {
        return overflow(n + 1) + 1;
    }

    static int deep(int n) {
        if (n % 50 == 0) Thread.yield();
        return n == 0 ? 0 : 1 + deep(n - 1);
    }
}
