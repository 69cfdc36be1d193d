/** A loop in which one comparison may be another one. */
public class Parts {
    static final int LIMIT = Integer.getInteger("limit", 1_000_000);

    static int step(int i, int x) {
        int y = x * 31 + i;
        if (i < LIMIT) {
            y ^= 5;
        } else {
            y ^= 9;
        }
        return y & 0xffff;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        int x = 1;
        for (int i = 0; i < rounds; i++) {
            x = step(i, x);
        }
        System.out.println(x);
    }
}
