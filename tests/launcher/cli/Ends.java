/** Ends in the way its argument names. */
public class Ends {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "exit" -> System.exit(7);
            case "halt" -> Runtime.getRuntime().halt(9);
            case "throw" -> throw new IllegalStateException("outer", new java.io.IOException("inner"));
            case "thread" -> {
                Thread t = new Thread(() -> { throw new RuntimeException("in a thread"); }, "worker");
                t.start();
                t.join();
            }
            case "hook" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                System.out.println("main");
            }
            case "oom" -> {
                java.util.List<long[]> kept = new java.util.ArrayList<>();
                while (true) kept.add(new long[1 << 16]);
            }
            case "wait" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                System.out.println("ready");
                Thread.sleep(60_000);
            }
            case "stubborn" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    System.out.println("hook");
                    while (true) Thread.onSpinWait();
                }));
                System.out.println("ready");
                Thread.sleep(60_000);
            }
            case "spin" -> {
                long end = System.nanoTime() + 3_000_000_000L;
                while (System.nanoTime() < end) Thread.onSpinWait();
            }
            case "static" -> System.out.println(Broken.value);
            case "npe" -> System.out.println(((String) null).length());
            default -> System.out.println("?");
        }
    }

    static class Broken {
        static int value = Integer.parseInt("x");
    }
}
