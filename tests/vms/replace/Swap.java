import java.util.ArrayList;

/** Methods with two bodies: that of `name` and that of `nameB`. Each body counts its calls. */
public class Swap {
    static int leafA, leafB, outerA, outerB, deepA, deepB, bottoms;
    static final ArrayList<Throwable> ofA = new ArrayList<>(), ofB = new ArrayList<>();

    static int leaf(int i) {
        leafA++;
        return i;
    }

    static int leafB(int i) {
        int x = i;
        leafB++;
        for (int k = 0; k < 3; k++) {
            x += k;
        }
        return x - 3;
    }

    static void boom(int i) {
        if (i % 7 == 0) {
            throw new IllegalStateException();
        }
    }

    static synchronized int outer(int n) {
        outerA++;
        Object[] kept = new Object[4];
        int sum = 0, caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += leaf(i);
                boom(i); // the first line that wrongLines() knows
            } catch (IllegalStateException e) {
                caught++;
                kept[caught & 3] = e;
                ofA.add(e);
            }
        }
        if (caught != (n + 6) / 7 || !(kept[1] instanceof IllegalStateException)) {
            throw new AssertionError("caught " + caught);
        }
        return sum;
    }

    static synchronized int outerB(int n) {
        String text = "";
        long sum = 0L;
        outerB++;
        int i = n, caught = 0;
        while (--i >= 0) {
            sum += leaf(leaf(i)) & 0xffffffffL;
            try {
                text = text.length() > 5 ? "" : text + i;
                boom(i); // the second
            } catch (IllegalStateException e) {
                ofB.add(e);
                caught++;
            } finally {
                sum++;
            }
        }
        if (caught != (n + 6) / 7) {
            throw new AssertionError("caught " + caught);
        }
        return (int) (sum - n);
    }

    static int deep(int n) {
        deepA++;
        return n == 0 ? bottom() : deep(n - 1);
    }

    static int deepB(int n) {
        int m = n;
        deepB++;
        return m == 0 ? bottom() : deep(m - 1);
    }

    static int bottom() {
        bottoms++;
        return outer(21);
    }

    static int run() {
        int sum = 0;
        for (int k = 0; k < 3; k++) {
            sum += deep(30);
            sum += outer(21);
        }
        return Thread.holdsLock(Swap.class) ? -1 : sum;
    }

    /** Throwables whose line is not that of the body that caught them. */
    static int wrongLines() {
        int wrong = 0;
        for (Throwable t : ofA) {
            wrong += t.getStackTrace()[1].getLineNumber() == 35 ? 0 : 1;
        }
        for (Throwable t : ofB) {
            wrong += t.getStackTrace()[1].getLineNumber() == 57 ? 0 : 1;
        }
        return wrong;
    }

    static int leafA() { return leafA; }
    static int leafsB() { return leafB; }
    static int outerA() { return outerA; }
    static int outersB() { return outerB; }
    static int deepA() { return deepA; }
    static int deepsB() { return deepB; }
    static int bottoms() { return bottoms; }
    static int caughtByA() { return ofA.size(); }
}
