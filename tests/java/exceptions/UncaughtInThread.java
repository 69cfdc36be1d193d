/** Exceptions that leave other threads: traces, handlers of a thread and of all, exit code 0. */
public class UncaughtInThread {
    static void run(String name, Runnable body, Thread.UncaughtExceptionHandler handler) throws InterruptedException {
        Thread t = new Thread(body, name);
        if (handler != null) t.setUncaughtExceptionHandler(handler);
        t.start();
        t.join();
        System.out.println(name + " " + t.getState() + " " + t.isAlive());
    }

    static void thrower() {
        throw new IllegalStateException("thrown in " + Thread.currentThread().getName());
    }

    static class Group extends ThreadGroup {
        Group() { super("group"); }
        @Override public void uncaughtException(Thread t, Throwable e) { System.out.println("group of " + t.getName() + ": " + e.getMessage()); }
    }

    public static void main(String[] args) throws Exception {
        run("worker-1", UncaughtInThread::nested, null);
        run("worker-2", UncaughtInThread::thrower, (t, e) -> System.out.println("handler of " + t.getName() + ": " + e.getMessage()));
        run("worker-3", UncaughtInThread::thrower, (t, e) -> { throw new RuntimeException("the handler fails"); });
        Thread inGroup = new Thread(new Group(), UncaughtInThread::thrower, "worker-4");
        inGroup.start();
        inGroup.join();
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("default of " + t.getName() + ": " + e.getMessage()));
        run("worker-5", UncaughtInThread::thrower, null);
        System.out.println(Thread.getDefaultUncaughtExceptionHandler() != null);
        Thread.currentThread().setUncaughtExceptionHandler((t, e) -> System.out.println("main's own: " + e));
        System.out.println("end of main");
        if (args.length == 0) throw new Error("leaves main");
    }

    static void nested() {
        try {
            thrower();
        } catch (IllegalStateException e) {
            throw new RuntimeException("wrapped", e);
        }
    }
}
