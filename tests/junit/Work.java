public class Work {
    static Object kept;

    static int sum(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i % 7;
        }
        return sum;
    }

    static void arrays(int n) {
        Object[] all = new Object[n];
        for (int i = 0; i < n; i++) {
            all[i] = new int[4];
        }
        kept = all;
    }
}
