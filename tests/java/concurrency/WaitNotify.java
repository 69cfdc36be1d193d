import java.util.*;

/** wait and notify: a bounded buffer, ping-pong in turn, timed waits, notifyAll, many threads through one monitor. */
public class WaitNotify {
    static class Buffer {
        private final int[] items = new int[3];
        private int head, count;
        synchronized void put(int v) throws InterruptedException {
            while (count == items.length) wait();
            items[(head + count++) % items.length] = v;
            notifyAll();
        }
        synchronized int take() throws InterruptedException {
            while (count == 0) wait();
            int v = items[head];
            head = (head + 1) % items.length;
            count--;
            notifyAll();
            return v;
        }
    }

    interface Job { void run() throws Exception; }
    static Thread start(Job j) {
        Thread t = new Thread(() -> { try { j.run(); } catch (Exception e) { System.out.println(e); } });
        t.start();
        return t;
    }

    static int turn;
    static StringBuilder order = new StringBuilder();

    public static void main(String[] args) throws Exception {
        Buffer buffer = new Buffer();
        long[] sums = new long[3];
        List<Thread> ts = new ArrayList<>();
        for (int p = 0; p < 3; p++) { int id = p; ts.add(start(() -> { for (int i = 0; i < 200; i++) buffer.put(id * 1000 + i); })); }
        for (int c = 0; c < 3; c++) { int id = c; ts.add(start(() -> { for (int i = 0; i < 200; i++) sums[id] += buffer.take(); })); }
        for (Thread t : ts) t.join();
        System.out.println(sums[0] + sums[1] + sums[2]);
        Object lock = new Object();
        ts.clear();
        for (int p = 0; p < 4; p++) {
            int id = p;
            ts.add(start(() -> {
                for (int i = 0; i < 5; i++) {
                    synchronized (lock) {
                        while (turn % 4 != id) lock.wait();
                        order.append((char) ('a' + id));
                        turn++;
                        lock.notifyAll();
                    }
                }
            }));
        }
        for (Thread t : ts) t.join();
        System.out.println(order);
        long t0 = System.nanoTime();
        synchronized (lock) {
            lock.wait(20);
            lock.wait(1, 500_000);
        }
        System.out.println(System.nanoTime() - t0 >= 20_000_000L);
        int[] woken = new int[1];
        ts.clear();
        for (int i = 0; i < 5; i++) ts.add(start(() -> { synchronized (woken) { woken[0]--; woken.wait(); woken[0] += 10; } }));
        while (true) { synchronized (woken) { if (woken[0] == -5) break; } Thread.sleep(1); }
        synchronized (woken) { woken.notify(); woken.notify(); }
        while (true) { synchronized (woken) { if (woken[0] == 15) break; } Thread.sleep(1); }
        synchronized (woken) { woken.notifyAll(); }
        for (Thread t : ts) t.join();
        System.out.println(woken[0]);
        Object nested = new Object();
        int[] state = new int[1];
        Thread deep = start(() -> { synchronized (nested) { synchronized (nested) { synchronized (nested) { state[0] = 1; nested.wait(); state[0] = Thread.holdsLock(nested) ? 3 : -1; } } } });
        while (true) { synchronized (nested) { if (state[0] == 1) { nested.notify(); break; } } Thread.sleep(1); }
        deep.join();
        System.out.println(state[0]);
        Thread intr = start(() -> { synchronized (nested) { Thread.currentThread().interrupt(); try { nested.wait(); } catch (InterruptedException e) { System.out.println("before waiting " + Thread.interrupted() + Thread.holdsLock(nested)); } } });
        intr.join();
        String[] last = new String[1];
        Thread both = start(() -> { synchronized (last) { last[0] = "in"; try { last.wait(100_000); } catch (InterruptedException e) { last[0] = "interrupted"; } } });
        while (true) { synchronized (last) { if ("in".equals(last[0])) break; } Thread.sleep(1); }
        synchronized (last) { both.interrupt(); last[0] += "+"; }
        both.join();
        System.out.println(last[0]);
    }
}
