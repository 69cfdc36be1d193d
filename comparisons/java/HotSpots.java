/** Work of known shares: each method runs the same loop, for 4, 12, 28 and 56 of 100 rounds; and two that are often called and short. */
public class HotSpots {
    static int sink;

    static int four(int n) {
        int x = n;
        for (int i = 0; i < n; i++) x = x * 31 + (i ^ x >>> 3);
        return x;
    }

    static int twelve(int n) {
        int x = n;
        for (int i = 0; i < n; i++) x = x * 31 + (i ^ x >>> 3);
        return x;
    }

    static int twentyEight(int n) {
        int x = n;
        for (int i = 0; i < n; i++) x = x * 31 + (i ^ x >>> 3);
        return x;
    }

    static int fiftySix(int n) {
        int x = n;
        for (int i = 0; i < n; i++) x = x * 31 + (i ^ x >>> 3);
        return x;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        for (int r = 0; r < rounds; r++) {
            sink += four(400);
            sink += twelve(1200);
            sink += twentyEight(2800);
            sink += fiftySix(5600);
        }
        System.out.println(sink);
    }
}
