package rjvm.test;

/** A test has done more than it may. The message says where. */
public final class BudgetExceeded extends AssertionError {
    private static final long serialVersionUID = 1;

    BudgetExceeded(String message) {
        super(message);
    }
}
