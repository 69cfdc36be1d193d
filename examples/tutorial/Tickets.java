/** The flaky test of docs/tutorial/flaky-test.md: two clerks sell the last ticket. */
public class Tickets {
    private int free = 1;
    private int sold;

    void sell() {
        if (free > 0) {
            free--;
            sold++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Tickets tickets = new Tickets();
        Thread anna = new Thread(tickets::sell, "anna");
        Thread bert = new Thread(tickets::sell, "bert");
        anna.start();
        bert.start();
        anna.join();
        bert.join();
        if (tickets.free < 0) {
            throw new IllegalStateException(tickets.free + " tickets are left");
        }
        System.out.println("sold: " + tickets.sold);
    }
}
