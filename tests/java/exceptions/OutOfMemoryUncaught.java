/** Nobody catches a thread's OutOfMemoryError, and the heap stays full: its handler can't be called either. */
public class OutOfMemoryUncaught {
    static Object[] chain;

    static void fill() {
        for (int size = 1 << 22; size > 16; size /= 2) {
            try {
                while (true) chain = new Object[] {chain, new byte[size]};
            } catch (OutOfMemoryError e) {
                // smaller ones
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            fill();
            while (true) chain = new Object[] {chain};
        });
        t.start();
        t.join();
        chain = null;
        System.out.println("the others go on");
    }
}
