/** Two threads lose an update, under some schedules. */
public class Lost {
    static int count;

    static void add() {
        int old = count;
        count = old + 1;
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(Lost::add, "adder");
        thread.start();
        add();
        thread.join();
        if (count != 2) {
            throw new IllegalStateException("count is " + count);
        }
        System.out.println("fine");
    }
}
