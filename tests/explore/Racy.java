/** Two variables are read by one thread while another writes them; the others are handed over as they should be. */
public class Racy {
    static int plain, guarded, published, late;
    static volatile boolean ready;

    static synchronized void add() {
        guarded++;
    }

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            plain = 1;
            add();
            published = 5;
            ready = true;
            late = 7;
        }, "writer");
        int[] seen = new int[3];
        Thread reader = new Thread(() -> {
            seen[0] = plain;
            add();
            if (ready) seen[1] = published;
            seen[2] = late;
        }, "reader");
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println(guarded + seen.length);
    }
}
