import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** ConcurrentHashMap, skip lists, blocking and delay queues, atomics, adders, copy-on-write. */
public class Concurrent {
    static void run(int n, Runnable r) throws InterruptedException {
        Thread[] ts = new Thread[n];
        for (int i = 0; i < n; i++) { ts[i] = new Thread(r, "t" + i); ts[i].start(); }
        for (Thread t : ts) t.join();
    }

    record Delay(String name, long at) implements Delayed {
        public long getDelay(TimeUnit u) { return u.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS); }
        public int compareTo(Delayed o) { return Long.compare(at, ((Delay) o).at); }
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
        run(4, () -> { for (int i = 0; i < 1000; i++) { m.merge(i % 100, 1, Integer::sum); m.computeIfAbsent(i, k -> 0); m.compute(i, (k, v) -> v + 1); } });
        System.out.println(m.size() + " " + m.values().stream().mapToInt(x -> x).sum() + " " + m.mappingCount() + " " + m.reduceValues(10, Integer::sum) + " " + m.search(1, (k, v) -> k == 50 ? v : null) + " " + m.reduceKeysToLong(1, k -> k, 0, Long::max) + " " + m.containsKey(999));
        try { m.put(null, 1); } catch (NullPointerException e) { System.out.println("no null keys"); }
        try { m.computeIfAbsent(5000, k -> m.computeIfAbsent(5000, j -> 1)); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        m.keySet().removeIf(k -> k >= 10);
        m.forEach((k, v) -> { if (k > 5) m.remove(k); });
        System.out.println(m + " " + m.replace(0, 44, 1) + m.remove(1, 0) + m.putIfAbsent(77, 7) + " " + ConcurrentHashMap.newKeySet().add("x"));
        ConcurrentSkipListMap<String, Integer> sl = new ConcurrentSkipListMap<>();
        run(3, () -> { for (int i = 0; i < 200; i++) sl.put("k" + i, i); });
        System.out.println(sl.size() + " " + sl.firstKey() + " " + sl.headMap("k11") + " " + sl.ceilingEntry("k15x") + " " + sl.descendingMap().firstEntry());
        ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedDeque<Integer> dq = new ConcurrentLinkedDeque<>();
        run(3, () -> { for (int i = 0; i < 100; i++) { q.add(i); dq.addFirst(i); dq.pollLast(); } });
        System.out.println(q.size() + " " + q.stream().mapToInt(x -> x).sum() + " " + dq.isEmpty());
        for (BlockingQueue<Integer> bq : List.of(new ArrayBlockingQueue<Integer>(4), new LinkedBlockingQueue<Integer>(4), new LinkedTransferQueue<Integer>(), new SynchronousQueue<Integer>(), new LinkedBlockingDeque<Integer>(2), new PriorityBlockingQueue<Integer>())) {
            int[] sum = new int[1];
            Thread c = new Thread(() -> { try { for (int i = 0; i < 300; i++) sum[0] += bq.take(); } catch (InterruptedException e) { } });
            c.start();
            for (int i = 0; i < 300; i++) bq.put(i);
            c.join();
            System.out.println(bq.getClass().getSimpleName() + " " + sum[0] + " " + bq.poll() + " " + bq.poll(1, TimeUnit.MILLISECONDS) + " " + bq.remainingCapacity());
        }
        ArrayBlockingQueue<Integer> full = new ArrayBlockingQueue<>(2);
        List<Integer> drained = new ArrayList<>();
        System.out.println(full.offer(1) + "" + full.offer(2) + full.offer(3) + full.offer(3, 1, TimeUnit.MILLISECONDS) + " " + full.drainTo(drained) + drained);
        try { full.addAll(List.of(1, 2, 3)); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        DelayQueue<Delay> delays = new DelayQueue<>();
        long now = System.nanoTime();
        delays.add(new Delay("second", now + 8_000_000));
        delays.add(new Delay("first", now + 2_000_000));
        System.out.println(delays.take().name() + " " + delays.take().name() + " " + delays.poll());
        AtomicInteger ai = new AtomicInteger(5);
        AtomicLongArray al = new AtomicLongArray(3);
        AtomicReference<String> ar = new AtomicReference<>("a");
        System.out.println(ai.getAndUpdate(x -> x * 2) + " " + ai.accumulateAndGet(7, Math::max) + " " + ai.compareAndSet(10, 11) + " " + ai.compareAndExchange(11, 12) + " " + ai + " " + al.addAndGet(1, 5) + al.getAndIncrement(1) + al + " " + ar.updateAndGet(x -> x + "b") + ar.compareAndSet("ab", "c") + ar.getAndSet("d"));
        LongAdder adder = new LongAdder();
        LongAccumulator max = new LongAccumulator(Long::max, Long.MIN_VALUE);
        DoubleAdder da = new DoubleAdder();
        run(4, () -> { for (int i = 0; i < 500; i++) { adder.add(i); max.accumulate(i * 3); da.add(0.5); ai.incrementAndGet(); } });
        System.out.println(adder.sum() + " " + max.get() + " " + da.sum() + " " + ai + " " + adder.sumThenReset() + adder);
        AtomicStampedReference<Integer> sr = new AtomicStampedReference<>(1, 0);
        AtomicMarkableReference<String> mr = new AtomicMarkableReference<>("m", false);
        System.out.println(sr.compareAndSet(1, 2, 0, 1) + " " + sr.compareAndSet(2, 3, 0, 1) + " " + sr.getStamp() + " " + mr.attemptMark("m", true) + mr.isMarked());
        AtomicIntegerFieldUpdater<Holder> up = AtomicIntegerFieldUpdater.newUpdater(Holder.class, "v");
        Holder h = new Holder();
        run(3, () -> { for (int i = 0; i < 100; i++) up.incrementAndGet(h); });
        System.out.println(h.v);
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        for (Integer x : cow) cow.add(x * 10);
        System.out.println(cow + " " + cow.addIfAbsent(10) + " " + new CopyOnWriteArraySet<>(List.of(3, 3, 1)) + " " + Collections.synchronizedMap(new TreeMap<>(Map.of(1, 2))));
    }

    static class Holder { volatile int v; }
}
