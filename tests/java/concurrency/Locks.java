import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** ReentrantLock, conditions, read-write and stamped locks, semaphores, latches, barriers, phasers, exchangers, park. */
public class Locks {
    static Thread start(Callable<?> c) {
        Thread t = new Thread(() -> { try { c.call(); } catch (Exception e) { System.out.println(Thread.currentThread().getName() + " " + e); } });
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock l = new ReentrantLock(true);
        l.lock();
        l.lock();
        System.out.println(l.getHoldCount() + " " + l.isHeldByCurrentThread() + " " + l.isFair() + " " + l.tryLock() + " " + l.isLocked());
        Thread w = start(() -> { l.lockInterruptibly(); return 0; });
        while (!l.hasQueuedThread(w)) Thread.sleep(1);
        System.out.println(l.getQueueLength() + " " + l.hasQueuedThreads());
        w.interrupt();
        w.join();
        boolean[] got = new boolean[1];
        Thread tryer = start(() -> got[0] = l.tryLock(5, TimeUnit.MILLISECONDS));
        tryer.join();
        l.unlock();
        l.unlock();
        l.unlock();
        System.out.println(got[0] + " " + l.isLocked() + " " + l.getHoldCount());
        try { l.unlock(); } catch (IllegalMonitorStateException e) { System.out.println("not held"); }
        Condition c = l.newCondition();
        try { c.signal(); } catch (IllegalMonitorStateException e) { System.out.println("condition needs the lock"); }
        int[] turn = new int[1];
        StringBuilder s = new StringBuilder();
        Thread[] ts = new Thread[3];
        for (int i = 0; i < 3; i++) { int id = i; ts[i] = start(() -> { for (int k = 0; k < 4; k++) { l.lock(); try { while (turn[0] % 3 != id) c.await(); s.append(id); turn[0]++; c.signalAll(); } finally { l.unlock(); } } return 0; }); }
        for (Thread t : ts) t.join();
        System.out.println(s);
        l.lock();
        System.out.println(c.await(1, TimeUnit.MILLISECONDS) + " " + (c.awaitNanos(1000) <= 0) + " " + l.hasWaiters(c));
        l.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        rw.readLock().lock();
        rw.readLock().lock();
        System.out.println(rw.getReadLockCount() + " " + rw.writeLock().tryLock() + " " + rw.isWriteLocked());
        rw.readLock().unlock();
        rw.readLock().unlock();
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.getReadHoldCount() + " " + rw.isWriteLockedByCurrentThread());
        StampedLock st = new StampedLock();
        long o = st.tryOptimisticRead();
        System.out.print(st.validate(o) + " ");
        long ws = st.writeLock();
        System.out.print(st.validate(o) + " " + st.tryReadLock() + " ");
        long rs = st.tryConvertToReadLock(ws);
        System.out.println((rs != 0) + " " + st.isReadLocked() + " " + st.getReadLockCount());
        st.unlockRead(rs);
        Semaphore sem = new Semaphore(2);
        sem.acquire();
        System.out.println(sem.tryAcquire(2) + " " + sem.availablePermits() + " " + sem.drainPermits() + " " + sem.tryAcquire(1, TimeUnit.MILLISECONDS));
        CountDownLatch latch = new CountDownLatch(3);
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 3; i++) start(() -> { done.incrementAndGet(); latch.countDown(); return 0; });
        latch.await();
        System.out.println(done + " " + latch.getCount() + " " + new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS));
        List<Integer> rounds = new ArrayList<>();
        CyclicBarrier bar = new CyclicBarrier(3, () -> rounds.add(done.getAndSet(0)));
        for (int i = 0; i < 3; i++) ts[i] = start(() -> { for (int k = 0; k < 3; k++) { done.addAndGet(k + 1); bar.await(); } return 0; });
        for (Thread t : ts) t.join();
        System.out.println(rounds + " " + bar.isBroken() + " " + bar.getParties());
        Thread waiting = start(() -> { try { bar.await(); } catch (BrokenBarrierException e) { System.out.println("broken"); } return 0; });
        while (bar.getNumberWaiting() == 0) Thread.sleep(1);
        bar.reset();
        waiting.join();
        Phaser ph = new Phaser(1);
        for (int i = 0; i < 2; i++) { ph.register(); start(() -> { ph.arriveAndAwaitAdvance(); ph.arriveAndDeregister(); return 0; }); }
        ph.arriveAndAwaitAdvance();
        System.out.println(ph.arriveAndAwaitAdvance() + " " + ph.getRegisteredParties() + " " + ph.arriveAndDeregister() + " " + ph.isTerminated());
        Exchanger<String> ex = new Exchanger<>();
        String[] swapped = new String[1];
        Thread e = start(() -> swapped[0] = ex.exchange("from thread"));
        System.out.println(ex.exchange("from main"));
        e.join();
        System.out.println(swapped[0]);
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        LockSupport.parkNanos(1000);
        Thread p = start(() -> { LockSupport.park("blocker"); return 0; });
        while (LockSupport.getBlocker(p) == null || p.getState() != Thread.State.WAITING) Thread.sleep(1);
        System.out.println(LockSupport.getBlocker(p) + " " + p.getState());
        LockSupport.unpark(p);
        p.join();
        Thread.currentThread().interrupt();
        LockSupport.park();
        System.out.println(Thread.interrupted());
    }
}
