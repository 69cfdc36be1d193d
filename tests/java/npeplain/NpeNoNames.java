/** Compiled without debug information: locals are called <localN>, parameters <parameterN>, frames have no lines. */
public class NpeNoNames {
    static int[] data;
    NpeNoNames next;
    int value;

    static int param(NpeNoNames p, long wide, NpeNoNames q, int which) {
        return which == 0 ? p.value : q.next.value;
    }

    int instance(NpeNoNames p, int[] a) {
        NpeNoNames local = p;
        return local == null ? a[2] : local.next.value;
    }

    static int locals(int n) {
        long wide = n;
        Object o = n > 0 ? "x" : null;
        String s = (String) o;
        int[][] grid = new int[2][];
        return s == null ? s.length() + (int) wide : grid[n - 1][n];
    }

    static void attempt(int k) {
        try {
            int r = switch (k) {
                case 0 -> param(null, 1, null, 0);
                case 1 -> param(null, 1, new NpeNoNames(), 1);
                case 2 -> param(null, 1, null, 1);
                case 3 -> new NpeNoNames().instance(null, null);
                case 4 -> new NpeNoNames().instance(new NpeNoNames(), null);
                case 5 -> locals(0);
                case 6 -> locals(1);
                default -> data[k];
            };
            System.out.println(r);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
            StackTraceElement top = e.getStackTrace()[0];
            System.out.println(top + " " + top.getFileName() + " " + top.getLineNumber());
        }
    }

    public static void main(String[] args) {
        for (int k = 0; k < 8; k++) attempt(k);
        NpeNoNames none = args.length > 0 ? new NpeNoNames() : null;
        none.value++;
    }
}
