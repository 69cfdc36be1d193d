/** Exit codes are taken modulo 256; a hook may fail without changing them; daemon threads don't hold the VM. */
public class ExitNegative {
    public static void main(String[] args) throws Exception {
        Thread daemon = new Thread(() -> { while (true) try { Thread.sleep(1000); } catch (InterruptedException e) { } });
        daemon.setDaemon(true);
        daemon.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("hook " + daemon.isAlive() + " " + daemon.isDaemon());
            try {
                Runtime.getRuntime().addShutdownHook(new Thread());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            throw new RuntimeException("a failing hook");
        }, "failing"));
        Thread other = new Thread(() -> System.exit(-2), "other");
        other.start();
        other.join();
    }
}
