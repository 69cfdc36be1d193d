import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;

/** Cleaner: actions run once when an object is unreachable, or when asked for; from one thread; failures are ignored. */
public class Cleaners {
    static final Cleaner CLEANER = Cleaner.create();
    static final BlockingQueue<String> done = new LinkedBlockingQueue<>();

    static class Resource implements AutoCloseable {
        private record State(String name) implements Runnable {
            public void run() { done.add("released " + name); }
        }
        private final Cleaner.Cleanable cleanable;
        Resource(String name) { cleanable = CLEANER.register(this, new State(name)); }
        @Override public void close() { cleanable.clean(); }
    }

    static String await() throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            System.gc();
            String s = done.poll(10, TimeUnit.MILLISECONDS);
            if (s != null) return s;
        }
        return "nothing";
    }

    static void drop(int n) { for (int i = 0; i < n; i++) new Resource("lost" + i); }

    public static void main(String[] args) throws Exception {
        try (Resource r = new Resource("closed")) {
            System.out.println("using " + done.size());
        }
        System.out.println(done.poll() + " " + done.size());
        Resource twice = new Resource("twice");
        twice.close();
        twice.close();
        System.out.println(done.poll() + " " + done.poll());
        drop(5);
        Set<String> lost = new TreeSet<>();
        while (lost.size() < 5) {
            String s = await();
            if (!lost.add(s)) System.out.println("repeated " + s);
        }
        System.out.println(lost);
        Object failing = new Object();
        CLEANER.register(failing, () -> { done.add("fails"); throw new IllegalStateException("ignored"); });
        failing = null;
        System.out.println(await());
        drop(1);
        System.out.println(await());
        Object named = new Object();
        CompletableFuture<String> thread = new CompletableFuture<>();
        Cleaner own = Cleaner.create(r -> { Thread t = new Thread(r, "own cleaner"); t.setDaemon(true); return t; });
        own.register(named, () -> thread.complete(Thread.currentThread().getName() + " " + Thread.currentThread().isDaemon()));
        named = null;
        for (int i = 0; i < 500 && !thread.isDone(); i++) { System.gc(); Thread.sleep(2); }
        System.out.println(thread.getNow("nothing"));
        Resource kept = new Resource("kept");
        System.gc();
        System.gc();
        Thread.sleep(5);
        System.out.println(done.size());
        kept.close();
        System.out.println(done.poll());
        try {
            CLEANER.register(null, () -> { });
        } catch (NullPointerException e) {
            System.out.println("null object");
        }
    }
}
