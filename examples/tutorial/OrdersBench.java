import rjvm.test.Bench;

/** What docs/tutorial/gate.md counts. */
public class OrdersBench {
    @Bench
    Object parse() {
        return Orders.parse("customer-1 ; product-2 ; 3");
    }

    @Bench(limits = "<=5_000_000")
    void report() {
        Orders.main(new String[] {"500"});
    }
}
