import java.util.*;

/** Results that no schedule may change: dining philosophers, prime pipeline of threads, parallel merge sort, barrier by monitors. */
public class Deterministic {
    static class Fork { final int id; Fork(int id) { this.id = id; } }

    static class Channel {
        private Integer slot;
        synchronized void send(Integer v) throws InterruptedException { while (slot != null) wait(); slot = v; notifyAll(); }
        synchronized int receive() throws InterruptedException { while (slot == null) wait(); int v = slot; slot = null; notifyAll(); return v; }
    }

    static void sort(int[] a, int lo, int hi, int depth) {
        if (hi - lo < 2) return;
        int m = lo + hi >>> 1;
        if (depth > 0) {
            Thread t = new Thread(() -> sort(a, lo, m, depth - 1));
            t.start();
            sort(a, m, hi, depth - 1);
            try { t.join(); } catch (InterruptedException e) { throw new RuntimeException(e); }
        } else {
            sort(a, lo, m, 0);
            sort(a, m, hi, 0);
        }
        int[] c = Arrays.copyOfRange(a, lo, hi);
        for (int i = 0, j = m - lo, k = lo; k < hi; k++) a[k] = j == c.length || i < m - lo && c[i] <= c[j] ? c[i++] : c[j++];
    }

    public static void main(String[] args) throws Exception {
        Fork[] forks = new Fork[5];
        for (int i = 0; i < 5; i++) forks[i] = new Fork(i);
        int[] meals = new int[5];
        Thread[] ph = new Thread[5];
        for (int i = 0; i < 5; i++) {
            int id = i;
            Fork a = forks[Math.min(i, (i + 1) % 5)], b = forks[Math.max(i, (i + 1) % 5)];
            ph[i] = new Thread(() -> { for (int k = 0; k < 100; k++) synchronized (a) { Thread.yield(); synchronized (b) { meals[id]++; } } });
            ph[i].start();
        }
        for (Thread t : ph) t.join();
        System.out.println(Arrays.toString(meals));
        List<Integer> primes = Collections.synchronizedList(new ArrayList<>());
        Channel head = new Channel();
        Thread feeder = new Thread(() -> { try { for (int i = 2; i < 60; i++) head.send(i); head.send(-1); } catch (InterruptedException e) { } });
        feeder.start();
        Thread stage = new Thread(() -> filter(head, primes));
        stage.start();
        stage.join();
        feeder.join();
        System.out.println(primes);
        int[] a = new int[2000];
        int x = 17;
        for (int i = 0; i < a.length; i++) a[i] = (x = x * 1664525 + 1013904223) >> 12;
        int[] copy = a.clone();
        sort(a, 0, a.length, 3);
        Arrays.sort(copy);
        System.out.println(Arrays.equals(a, copy) + " " + Arrays.hashCode(a));
        int n = 4, rounds = 10;
        int[][] grid = new int[2][n + 2];
        grid[0][1] = 1000;
        Object mon = new Object();
        int[] state = new int[2];
        Thread[] ws = new Thread[n];
        for (int w = 0; w < n; w++) {
            int id = w + 1;
            ws[w] = new Thread(() -> {
                for (int r = 0; r < rounds; r++) {
                    grid[(r + 1) & 1][id] = (grid[r & 1][id - 1] + 2 * grid[r & 1][id] + grid[r & 1][id + 1]) / 2 + id;
                    synchronized (mon) {
                        if (++state[0] == n) { state[0] = 0; state[1]++; mon.notifyAll(); }
                        else while (state[1] <= r) try { mon.wait(); } catch (InterruptedException e) { return; }
                    }
                }
            });
            ws[w].start();
        }
        for (Thread t : ws) t.join();
        System.out.println(Arrays.toString(grid[rounds & 1]) + " " + state[1]);
        Map<String, Integer> words = new TreeMap<>();
        String text = "to be or not to be that is the question to die to sleep no more";
        Thread[] counters = new Thread[3];
        String[] all = text.split(" ");
        for (int i = 0; i < 3; i++) { int id = i; counters[i] = new Thread(() -> { for (int k = id; k < all.length; k += 3) synchronized (words) { words.merge(all[k], 1, Integer::sum); } }); counters[i].start(); }
        for (Thread t : counters) t.join();
        System.out.println(words);
    }

    static void filter(Channel in, List<Integer> primes) {
        try {
            int p = in.receive();
            if (p < 0) return;
            primes.add(p);
            Channel out = new Channel();
            Thread next = new Thread(() -> filter(out, primes));
            next.start();
            for (int v; (v = in.receive()) >= 0; ) if (v % p != 0) out.send(v);
            out.send(-1);
            next.join();
        } catch (InterruptedException e) {
            System.out.println(e);
        }
    }
}
