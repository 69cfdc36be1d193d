package p;

public class Base {
    protected int count;
    protected static int total;
    protected Object held;

    protected Base(int n) {
        count = n;
    }

    protected Base() {
        this(1);
    }

    protected int bump(int by) {
        count += by;
        return count;
    }

    protected static Base make() {
        return new Base();
    }
}
