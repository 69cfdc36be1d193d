import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** What C code calls that has created the VM. */
public class Created {
    static final CountDownLatch LAST = new CountDownLatch(1);

    static native int twice(int n);

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
