/** An update is lost in some schedules: both threads read before one of them writes. */
public class Lost {
    static int count;

    static void add() {
        int old = count;
        count = old + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread adder = new Thread(Lost::add, "adder");
        adder.start();
        add();
        adder.join();
        if (count != 2) {
            throw new IllegalStateException("count is " + count);
        }
    }
}
