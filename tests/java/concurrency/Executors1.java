import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Executors: pools, futures, scheduling, cancellation, rejection, fork/join, completion services, thread factories. */
public class Executors1 {
    static class Fib extends RecursiveTask<Integer> {
        final int n;
        Fib(int n) { this.n = n; }
        protected Integer compute() {
            if (n < 8) return n < 2 ? n : new Fib(n - 1).compute() + new Fib(n - 2).compute();
            Fib f = new Fib(n - 1);
            f.fork();
            return new Fib(n - 2).compute() + f.join();
        }
    }
    static class Inc extends RecursiveAction {
        final int[] a; final int lo, hi;
        Inc(int[] a, int lo, int hi) { this.a = a; this.lo = lo; this.hi = hi; }
        protected void compute() {
            if (hi - lo < 50) for (int i = lo; i < hi; i++) a[i] += i;
            else invokeAll(new Inc(a, lo, lo + hi >>> 1), new Inc(a, lo + hi >>> 1, hi));
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger names = new AtomicInteger();
        ExecutorService ex = Executors.newFixedThreadPool(3, r -> new Thread(r, "worker" + names.incrementAndGet()));
        List<Future<Integer>> fs = new ArrayList<>();
        for (int i = 0; i < 10; i++) { int k = i; fs.add(ex.submit(() -> k * k)); }
        int sum = 0;
        for (Future<Integer> f : fs) sum += f.get();
        System.out.println(sum + " " + names + " " + fs.get(0).isDone());
        System.out.println(ex.submit(() -> Thread.currentThread().getName().startsWith("worker")).get() + " " + ex.submit(() -> { }, "result").get());
        Future<Object> bad = ex.submit(() -> { throw new java.io.IOException("inside"); });
        try { bad.get(); } catch (ExecutionException e) { System.out.println(e.getMessage() + " | " + e.getCause().getMessage()); }
        List<Callable<String>> calls = List.of(() -> "a", () -> "b", () -> "c");
        StringBuilder s = new StringBuilder();
        for (Future<String> f : ex.invokeAll(calls)) s.append(f.get());
        System.out.println(s + " " + "abc".contains(ex.invokeAny(calls)));
        CountDownLatch started = new CountDownLatch(1);
        Future<?> sleeping = ex.submit(() -> { started.countDown(); try { Thread.sleep(100_000); } catch (InterruptedException e) { System.out.println("task interrupted"); started.await(); } return null; });
        started.await();
        System.out.println(sleeping.cancel(true) + " " + sleeping.isCancelled() + " " + sleeping.cancel(true));
        try { sleeping.get(); } catch (CancellationException e) { System.out.println("cancelled"); }
        try { ex.submit(() -> { Thread.sleep(20_000); return 1; }).get(1, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { System.out.println("timeout"); }
        CompletionService<Integer> cs = new ExecutorCompletionService<>(ex);
        for (int i = 1; i <= 3; i++) { int k = i; cs.submit(() -> k * 100); }
        System.out.println(cs.take().get() + cs.take().get() + cs.take().get());
        List<Runnable> rest = ex.shutdownNow();
        System.out.println(ex.awaitTermination(20, TimeUnit.SECONDS) + " " + ex.isTerminated() + " " + rest.size());
        try { ex.submit(() -> 1); } catch (RejectedExecutionException e) { System.out.println("rejected"); }
        ScheduledExecutorService sch = Executors.newScheduledThreadPool(1);
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch ticks = new CountDownLatch(3);
        ScheduledFuture<?> rate = sch.scheduleAtFixedRate(() -> { if (ticks.getCount() > 0) log.add("tick"); ticks.countDown(); }, 0, 1, TimeUnit.MILLISECONDS);
        ticks.await();
        rate.cancel(false);
        ScheduledFuture<String> late = sch.schedule(() -> { log.add("late"); return "late"; }, 150, TimeUnit.MILLISECONDS), early = sch.schedule(() -> { log.add("early"); return "early"; }, 1, TimeUnit.MILLISECONDS);
        System.out.println(late.get() + early.get() + log + " " + (late.compareTo(early) > 0) + rate.isCancelled());
        sch.shutdown();
        System.out.println(new ForkJoinPool(3).invoke(new Fib(18)) + " " + ForkJoinPool.commonPool().submit(() -> 5).get());
        int[] a = new int[500];
        new ForkJoinPool(2).invoke(new Inc(a, 0, 500));
        System.out.println(Arrays.stream(a).sum());
        ThreadPoolExecutor tp = new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        CountDownLatch hold = new CountDownLatch(1);
        List<String> who = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 3; i++) tp.execute(() -> { try { hold.await(); } catch (InterruptedException e) { } });
        tp.execute(() -> who.add(Thread.currentThread().getName()));
        System.out.println(who + " " + tp.getPoolSize() + " " + tp.getQueue().size() + " " + tp.getLargestPoolSize());
        hold.countDown();
        tp.shutdown();
        System.out.println(tp.awaitTermination(20, TimeUnit.SECONDS) + " " + tp.getCompletedTaskCount());
        FutureTask<Integer> ft = new FutureTask<>(() -> 77);
        new Thread(ft).start();
        System.out.println(ft.get() + " " + Executors.callable(() -> { }, 1).call());
        ExecutorService single = Executors.newSingleThreadExecutor();
        StringBuilder seq = new StringBuilder();
        for (int i = 0; i < 5; i++) { int k = i; single.execute(() -> seq.append(k)); }
        single.execute(() -> { Thread.currentThread().setUncaughtExceptionHandler((t, e) -> { }); throw new RuntimeException("!"); });
        single.submit(() -> seq.append("+")).get();
        single.shutdown();
        System.out.println(single.awaitTermination(20, TimeUnit.SECONDS) + " " + seq);
        Timer timer = new Timer("timer", true);
        CountDownLatch fired = new CountDownLatch(2);
        timer.schedule(new TimerTask() { public void run() { fired.countDown(); } }, 1, 1);
        fired.await();
        timer.cancel();
        try { timer.schedule(new TimerTask() { public void run() { } }, 1); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
    }
}
