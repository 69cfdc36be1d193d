/** Without System.exit: hooks run when the last user thread has ended, after an uncaught exception too. */
public class HookAfterMain {
    static int done;

    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook, done " + done)));
        Thread last = new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                return;
            }
            done = 5;
            System.out.println("last thread ends");
        });
        last.start();
        System.out.println("main throws");
        throw new IllegalStateException("main ends early");
    }

    static final Thread main = Thread.currentThread();
}
