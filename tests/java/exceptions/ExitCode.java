/** System.exit: the code, hooks run, finally blocks and code after it don't, nested exit in a hook's thread is ignored. */
public class ExitCode {
    public static void main(String[] args) throws Exception {
        Thread hook = new Thread(() -> System.out.println("hook runs in " + Thread.currentThread().getName()), "hook");
        Runtime.getRuntime().addShutdownHook(hook);
        Thread removed = new Thread(() -> System.out.println("not reached"));
        Runtime.getRuntime().addShutdownHook(removed);
        System.out.println(Runtime.getRuntime().removeShutdownHook(removed) + " " + Runtime.getRuntime().removeShutdownHook(removed));
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println("not reached");
            } finally {
                System.out.println("not reached");
            }
        });
        sleeper.start();
        try {
            System.out.println("exiting");
            exit(3);
        } finally {
            System.out.println("not reached");
        }
    }

    static void exit(int depth) {
        if (depth == 0) System.exit(42);
        exit(depth - 1);
    }
}
