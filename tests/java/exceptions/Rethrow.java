/** Precise rethrow, generics that throw checked exceptions unseen, throwing null, interrupts of control flow by exceptions. */
public class Rethrow {
    static class Checked extends Exception { Checked(String m) { super(m); } }
    static class Other extends Exception { Other(String m) { super(m); } }

    static void precise(int n) throws Checked, Other {
        try {
            if (n == 0) throw new Checked("zero");
            if (n == 1) throw new Other("one");
            if (n == 2) throw new IllegalStateException("two");
        } catch (Exception e) {
            if (n == 2) e.addSuppressed(new Error("added"));
            throw e;
        }
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> RuntimeException sneak(Throwable t) throws T { throw (T) t; }

    static int throwNull() {
        RuntimeException none = null;
        try {
            throw none;
        } catch (NullPointerException e) {
            return 1;
        }
    }

    static Exception current;

    static int identity() {
        Exception e = new Checked("same");
        try {
            try {
                throw e;
            } finally {
                current = e;
            }
        } catch (Exception x) {
            return x == e && x == current ? 1 : 0;
        }
    }

    static long search(int[] a, int v) {
        try {
            for (int i = 0; ; i++) if (a[i] == v) return i;
        } catch (ArrayIndexOutOfBoundsException e) {
            return -1;
        }
    }

    static class Stop extends RuntimeException {
        final int value;
        Stop(int value) { super(null, null, false, false); this.value = value; }
    }

    static void walk(int n) {
        if (n * n > 2000) throw new Stop(n);
        walk(n + 1);
    }

    static int stackDepthKept(int a) {
        return a + helper(a * 2, new int[] {1, 2, 3}[a % 4 == 3 ? 7 : a % 3]) * 10;
    }

    static int helper(int a, int b) {
        if (a > 8) throw new Stop(a * 100 + b);
        return a - b;
    }

    public static void main(String[] args) throws Throwable {
        for (int n = 0; n < 4; n++) {
            try {
                precise(n);
                System.out.println("fine");
            } catch (Checked | Other e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            } catch (RuntimeException e) {
                System.out.println(e + " " + e.getSuppressed()[0]);
            }
        }
        try {
            throw sneak(new Checked("unseen"));
        } catch (Throwable t) {
            System.out.println(t);
        }
        System.out.println(throwNull() + " " + identity());
        System.out.println(search(new int[] {5, 6, 7}, 7) + " " + search(new int[] {5, 6, 7}, 8));
        try {
            walk(0);
        } catch (Stop s) {
            System.out.println(s.value + " " + s.getStackTrace().length);
        }
        for (int a = 0; a < 7; a++) {
            try {
                System.out.print(stackDepthKept(a) + " ");
            } catch (Stop s) {
                System.out.print("stop" + s.value + " ");
            } catch (RuntimeException e) {
                System.out.print(e.getMessage() + " ");
            }
        }
        System.out.println();
        int count = 0;
        for (int i = 0; i < 2000; i++) {
            try {
                if (i % 3 == 0) throw new Stop(i);
                Object o = i % 3 == 1 ? null : "s";
                count += o.hashCode() & 1;
            } catch (Stop s) {
                count += s.value;
            } catch (NullPointerException e) {
                count -= 1;
            }
        }
        System.out.println(count);
    }
}
