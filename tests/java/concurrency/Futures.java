import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** CompletableFuture: chaining, combining, exceptions, timeouts, completion by hand, dependents in order. */
public class Futures {
    static String err(CompletableFuture<?> f) {
        try {
            return "value " + f.join();
        } catch (CompletionException e) {
            return "completion " + e.getCause();
        } catch (CancellationException e) {
            return "cancelled";
        }
    }

    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> 20), b = CompletableFuture.supplyAsync(() -> 22);
        System.out.println(a.thenCombine(b, Integer::sum).thenApply(x -> x * 2).thenCompose(x -> CompletableFuture.supplyAsync(() -> x + 1)).get());
        CompletableFuture<Integer> bad = CompletableFuture.supplyAsync(() -> { throw new IllegalStateException("bad"); });
        System.out.println(err(bad) + " | " + err(bad.thenApply(x -> x + 1)) + " | " + bad.exceptionally(e -> -1).join() + " | " + bad.handle((v, e) -> v + " " + e.getClass().getSimpleName()).join() + " | " + err(bad.whenComplete((v, e) -> { throw new RuntimeException("ignored"); })));
        System.out.println(bad.isCompletedExceptionally() + " " + bad.isDone() + " " + a.isCompletedExceptionally() + " " + bad.exceptionallyCompose(e -> CompletableFuture.completedFuture(5)).join());
        CompletableFuture<String> manual = new CompletableFuture<>();
        StringBuilder order = new StringBuilder();
        CompletableFuture<Void> d1 = manual.thenAccept(s -> order.append("1").append(s)), d2 = d1.thenRun(() -> order.append("2"));
        System.out.println(manual.isDone() + " " + manual.getNumberOfDependents() + " " + manual.getNow("absent"));
        System.out.println(manual.complete("x") + " " + manual.complete("y") + " " + order + " " + d2.isDone() + " " + manual.join());
        manual.obtrudeValue("z");
        System.out.println(manual.join());
        CompletableFuture<String> never = new CompletableFuture<>();
        System.out.println(err(never.copy().orTimeout(1, TimeUnit.MILLISECONDS)) + " " + never.copy().completeOnTimeout("late", 1, TimeUnit.MILLISECONDS).join() + " " + never.cancel(true) + " " + err(never) + " " + never.isCancelled());
        try { new CompletableFuture<>().get(1, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { System.out.println("timeout"); }
        List<CompletableFuture<Integer>> many = IntStream.range(0, 20).mapToObj(i -> CompletableFuture.supplyAsync(() -> i * i)).collect(Collectors.toList());
        CompletableFuture.allOf(many.toArray(new CompletableFuture[0])).join();
        System.out.println(many.stream().mapToInt(CompletableFuture::join).sum());
        System.out.println(CompletableFuture.anyOf(new CompletableFuture<>(), CompletableFuture.completedFuture("any")).join() + " " + CompletableFuture.completedFuture(1).applyToEither(new CompletableFuture<Integer>(), x -> x + 1).join() + " " + err(CompletableFuture.failedFuture(new Exception("f"))) + " " + err(CompletableFuture.allOf(a, bad)));
        CompletableFuture<Integer> sync = new CompletableFuture<>();
        Thread t = new Thread(() -> sync.completeExceptionally(new TimeoutException("by thread")));
        t.start();
        try { sync.get(); } catch (ExecutionException e) { System.out.println(e.getCause()); }
        t.join();
        CompletionStage<Integer> stage = CompletableFuture.completedStage(3);
        System.out.println(stage.thenApply(x -> x * x).toCompletableFuture().join() + " " + CompletableFuture.runAsync(() -> { }).join() + " " + a.runAfterBoth(b, () -> order.append("!")).thenApply(v -> order.length()).join() + " " + a.thenAcceptBoth(b, (x, y) -> order.append(x + y)).thenApply(v -> order.toString()).join());
        Executor direct = Runnable::run;
        System.out.println(CompletableFuture.supplyAsync(() -> Thread.currentThread().getName(), direct).thenApplyAsync(n -> n + "/" + Thread.currentThread().getName(), direct).join() + " " + CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, direct).getClass().getSimpleName().isEmpty());
        CompletableFuture<Integer> chain = CompletableFuture.completedFuture(0);
        for (int i = 0; i < 2000; i++) chain = chain.thenApply(x -> x + 1);
        CompletableFuture<Integer> root = new CompletableFuture<>(), tail = root;
        for (int i = 0; i < 2000; i++) tail = tail.thenApply(x -> x + 1);
        root.complete(0);
        System.out.println(chain.join() + " " + tail.join());
    }
}
