import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Thread.stop on threads that wait in some way, more than one after the other: each throws ThreadDeath where it waits, holding what it held. */
public class StopWaits {
    static final Object LOCK = new Object();
    interface Body { void run() throws Exception; }
    static String held(Object o) { return Thread.holdsLock(o) ? " holds" : ""; }

    @SuppressWarnings({"deprecation", "removal"})
    static void stop(String what, Body body) throws Exception {
        for (int i = 0; i < 3; i++) {
            String[] out = {"nothing"};
            Thread t = new Thread(() -> {
                try {
                    body.run();
                    out[0] = "returned";
                } catch (ThreadDeath d) {
                    out[0] = "ThreadDeath, interrupted " + Thread.currentThread().isInterrupted() + held(LOCK);
                } catch (Throwable e) {
                    out[0] = e.getClass().getName() + ", interrupted " + Thread.currentThread().isInterrupted();
                }
            });
            t.start();
            Thread.State s = t.getState();
            for (int k = 0; k < 50 && (s = t.getState()) != Thread.State.WAITING && s != Thread.State.TIMED_WAITING && s != Thread.State.BLOCKED; k++) Thread.sleep(1);
            t.stop();
            t.join(5000);
            System.out.println(what + " " + i + ": " + s + ", " + out[0] + ", alive " + t.isAlive());
        }
    }
    static synchronized void locked() { System.out.println("in"); }
    @SuppressWarnings({"deprecation", "removal"})
    static void contended(String what, Object held, Body body) throws Exception {
        for (int i = 0; i < 3; i++) {
            String[] out = {"nothing"};
            Thread t = new Thread(() -> {
                try { body.run(); out[0] = "returned"; } catch (ThreadDeath d) { out[0] = "ThreadDeath, interrupted " + Thread.currentThread().isInterrupted() + " " + Thread.holdsLock(held); } catch (Exception e) { out[0] = e.toString(); }
            });
            synchronized (held) {
                t.start();
                while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
                t.stop();
                System.out.print(what + " " + i + ": " + t.getState() + ", ");
            }
            t.join(5000);
            System.out.println(out[0] + ", alive " + t.isAlive());
        }
    }
    /** Stopped in wait while another holds the monitor, or after it was notified. */
    @SuppressWarnings({"deprecation", "removal"})
    static void while_held(boolean notified) throws Exception {
        for (int i = 0; i < 3; i++) {
            String[] out = {"nothing"};
            Thread t = new Thread(() -> {
                try { synchronized (LOCK) { LOCK.wait(); } out[0] = "returned"; } catch (ThreadDeath d) { out[0] = "ThreadDeath, interrupted " + Thread.currentThread().isInterrupted(); } catch (InterruptedException e) { out[0] = e.toString(); }
            });
            t.start();
            while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
            synchronized (LOCK) {
                if (notified) LOCK.notify();
                t.stop();
                Thread.sleep(5);
                System.out.print("held, notified " + notified + " " + i + ": " + t.getState() + ", ");
            }
            t.join(5000);
            System.out.println(out[0] + ", alive " + t.isAlive());
        }
    }

    public static void main(String[] args) throws Exception {
        stop("wait", () -> { synchronized (LOCK) { LOCK.wait(); } });
        stop("timed wait", () -> { synchronized (LOCK) { LOCK.wait(100_000); } });
        stop("wait, caught inside", () -> { synchronized (LOCK) { try { LOCK.wait(); } catch (ThreadDeath d) { System.out.println("inside" + held(LOCK)); throw d; } } });
        stop("wait, twice held", () -> { synchronized (LOCK) { synchronized (LOCK) { LOCK.wait(); } } });
        stop("sleep", () -> Thread.sleep(100_000));
        stop("join", () -> Thread.currentThread().join());
        stop("timed join", () -> Thread.currentThread().join(100_000));
        stop("park", () -> LockSupport.park());
        stop("timed park", () -> LockSupport.parkNanos(100_000_000_000L));
        stop("queue", () -> new LinkedBlockingQueue<Object>().take());
        stop("latch", () -> new CountDownLatch(1).await());
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        stop("lock", () -> lock.lock());
        stop("loop", () -> { for (;;) { } });
        Object held = new Object();
        contended("block", held, () -> { synchronized (held) { System.out.println("in"); } });
        contended("method", StopWaits.class, () -> locked());
        while_held(false);
        while_held(true);
        stop("wait again", () -> { synchronized (LOCK) { try { LOCK.wait(); } catch (ThreadDeath d) { LOCK.wait(1); LOCK.wait(1); System.out.println("waited again"); throw d; } } });
        stop("sleep again", () -> { try { Thread.sleep(100_000); } catch (ThreadDeath d) { Thread.sleep(1); System.out.println("slept again"); throw d; } });
        stop("interrupted too", () -> { synchronized (LOCK) { Thread.currentThread().interrupt(); try { LOCK.wait(); } catch (InterruptedException e) { LOCK.wait(); } } });
    }
}
