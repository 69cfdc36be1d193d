/** Finalizers run while main collects and allocates in loops, whatever they throw. */
public class Finalized {
    static class Throws {
        static volatile int run;
        protected void finalize() { run++; throw new RuntimeException("unseen"); }
    }
    static class Large {
        static volatile int run;
        final byte[] content = new byte[1000];
        protected void finalize() { run++; }
    }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100 || Throws.run == 0 && i < 10_000; i++) {
            new Throws();
            System.gc();
        }
        System.out.println(Throws.run > 0);
        for (int i = 0; i < 300_000; i++) new Large();
        System.out.println(Large.run > 0);
    }
}
