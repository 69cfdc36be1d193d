import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** What C code calls that has created the VM. */
public class Created {
    static final CountDownLatch LAST = new CountDownLatch(1);

    static native int twice(int n);

    static native int down(int n);

    static native int enter(int n);

    static final Thread[] WAITING = new Thread[3];
    static final int[] ENTERED = new int[WAITING.length];

    /** Threads wait for a lock of C code. */
    static void begin() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(WAITING.length);
        for (int i = 0; i < WAITING.length; i++) {
            int n = i;
            WAITING[i] = new Thread(() -> {
                begun.countDown();
                ENTERED[n] += enter(n);
            });
            WAITING[i].start();
        }
        begun.await();
        Thread.sleep(20);
    }

    static void end() throws InterruptedException {
        for (Thread t : WAITING) t.join();
        System.out.println(Arrays.toString(ENTERED));
        System.out.flush();
    }

    static int up(int n) {
        // objects move, and other threads run meanwhile
        byte[][] filled = new byte[50][];
        for (int i = 0; i < filled.length; i++) filled[i] = new byte[1000];
        if (n % 3 == 0) Thread.yield();
        int r = down(n);
        try {
            if (r % 7 == 0) throw new IllegalStateException();
        } catch (IllegalStateException e) {
            r++;
        }
        return r + filled.length;
    }

    static int sum(int n) {
        int sum = 0;
        for (int i = 0; i <= n; i++) sum += i;
        if (n == 10) LAST.countDown();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("main of " + Thread.currentThread().getName() + " " + Arrays.toString(args) + " " + twice(21) + " "
            + System.getProperty("given"));
        System.out.flush();
        Thread hook = new Thread(() -> System.out.println("hook"));
        Runtime.getRuntime().addShutdownHook(hook);
        new Thread(() -> {
            try {
                LAST.await();
                Thread.sleep(200);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            System.out.println("another thread has ended");
        }).start();
        if (args[0].equals("exit")) System.exit(7);
        if (args[0].equals("draw")) {
            java.awt.image.BufferedImage image = new java.awt.image.BufferedImage(20, 20, java.awt.image.BufferedImage.TYPE_INT_RGB);
            java.awt.Graphics2D g = image.createGraphics();
            g.setColor(java.awt.Color.RED);
            g.drawString("a", 5, 15);
            System.out.println(Arrays.hashCode(image.getRGB(0, 0, 20, 20, null, 0, 20)));
        }
        if (args[0].equals("throw")) throw new IllegalStateException("thrown by Java");
    }
}
