/** Makes many objects that live a moment, and few that stay. */
public class Storm {
    static final int[] KEPT = new int[50_000];

    record Key(int a, int b) {}

    static int look(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += new Key(i, i + 1).hashCode() & 1;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(look(40_000) + KEPT.length);
    }
}
