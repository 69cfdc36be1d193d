/** OutOfMemoryErrors of a heap that stays full: each is thrown, however little is left. */
public class OutOfMemoryAgain {
    static Object[] chain;

    public static void main(String[] args) {
        int caught = 0;
        for (int size = 1 << 22; size > 0; size /= 2) {
            try {
                while (true) {
                    chain = new Object[] {chain, new byte[size]};
                }
            } catch (OutOfMemoryError e) {
                caught++;
            }
        }
        for (int i = 0; i < 20; i++) {
            try {
                while (true) {
                    chain = new Object[] {chain};
                }
            } catch (OutOfMemoryError e) {
                caught++;
            }
        }
        chain = null;
        System.out.println("caught " + caught);
    }
}
