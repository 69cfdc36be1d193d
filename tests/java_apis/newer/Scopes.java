import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.StructuredTaskScope.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Since 25 with previews: structured concurrency, scoped and stable values. */
public class Scopes {
    static final ScopedValue<String> USER = ScopedValue.newInstance();
    static final StableValue<String> ONCE = StableValue.of();

    static String state(Subtask<?> task) {
        return switch (task.state()) {
            case SUCCESS -> "success " + task.get();
            case FAILED -> "failed " + task.exception();
            case UNAVAILABLE -> "unavailable";
        };
    }

    static void allSucceed() throws Exception {
        try (var scope = StructuredTaskScope.open()) {
            Subtask<Integer> a = scope.fork(() -> 1);
            Subtask<String> b = scope.fork(() -> USER.get());
            scope.join();
            System.out.println(a.get() + " " + b.get());
        }
    }

    /** A failure cancels those who wait for ever. */
    static void failureCancels() throws Exception {
        AtomicInteger interrupted = new AtomicInteger();
        try (var scope = StructuredTaskScope.open()) {
            List<Subtask<Object>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(scope.fork(() -> {
                    try {
                        Thread.sleep(Long.MAX_VALUE);
                    } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                        throw e;
                    }
                    return null;
                }));
            }
            Subtask<Object> bad = scope.fork(() -> { throw new IllegalStateException("bad"); });
            try {
                scope.join();
            } catch (FailedException e) {
                System.out.println("join: " + e.getCause() + ", " + state(bad));
            }
            System.out.println(scope.isCancelled() + " " + waiting.stream().map(Scopes::state).distinct().toList());
        }
        System.out.println(interrupted + " interrupted");
    }

    static void anySucceeds() throws Exception {
        try (var scope = StructuredTaskScope.open(Joiner.<String>anySuccessfulResultOrThrow())) {
            scope.fork(() -> { Thread.sleep(Long.MAX_VALUE); return "late"; });
            scope.fork(() -> { throw new RuntimeException("no"); });
            scope.fork(() -> "first");
            System.out.println(scope.join());
        }
    }

    static void timeout() throws Exception {
        try (var scope = StructuredTaskScope.open(Joiner.awaitAll(), c -> c.withTimeout(java.time.Duration.ofMillis(20)).withName("slow"))) {
            Subtask<Object> task = scope.fork(() -> { Thread.sleep(Long.MAX_VALUE); return null; });
            try {
                scope.join();
            } catch (StructuredTaskScope.TimeoutException e) {
                System.out.println("timeout, " + state(task));
            }
        }
    }

    static void nested() throws Exception {
        Callable<Integer> sum = () -> {
            try (var inner = StructuredTaskScope.open(Joiner.<Integer>allSuccessfulOrThrow())) {
                for (int i = 1; i <= 100; i++) {
                    int n = i;
                    inner.fork(() -> n);
                }
                return inner.join().mapToInt(Subtask::get).sum();
            }
        };
        try (var outer = StructuredTaskScope.open(Joiner.<Integer>allSuccessfulOrThrow())) {
            for (int i = 0; i < 10; i++) outer.fork(sum);
            System.out.println(outer.join().map(Subtask::get).collect(Collectors.toList()));
        }
    }

    static void misuse() throws Exception {
        try (var scope = StructuredTaskScope.open()) {
            Thread other = Thread.ofVirtual().start(() -> {
                try {
                    scope.fork(() -> 1);
                } catch (WrongThreadException e) {
                    System.out.println("wrong thread");
                }
            });
            other.join();
            Subtask<Integer> task = scope.fork(() -> 1);
            try {
                task.get();
            } catch (IllegalStateException e) {
                System.out.println("before join: " + e.getMessage());
            }
            scope.join();
            try {
                scope.fork(() -> 2);
            } catch (IllegalStateException e) {
                System.out.println("after join: " + e.getMessage());
            }
        }
        var open = StructuredTaskScope.open();
        try {
            ScopedValue.where(USER, "x").run(open::close);
        } catch (StructureViolationException e) {
            System.out.println("violation: " + e.getMessage());
        }
        open.close();
    }

    public static void main(String[] args) throws Exception {
        ScopedValue.where(USER, "duke").call(() -> { allSucceed(); return null; });
        failureCancels();
        anySucceeds();
        timeout();
        nested();
        misuse();
        System.out.println(ONCE.orElseSet(() -> "set") + " " + ONCE.orElseSet(() -> "again") + " " + ONCE.trySet("no"));
        System.out.println(StableValue.list(3, i -> i * i) + " " + StableValue.supplier(() -> 7).get());
    }
}
