/** One method executes most bytecodes, another one allocates. */
public class Allocates {
    static int[] kept;

    static int plain(int n) {
        int sum = 0;
        for (int i = 0; i < 500; i++) {
            sum += i * n;
        }
        return sum;
    }

    static int greedy(int n) {
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            kept = new int[100];
            sum += kept.length * n;
        }
        return sum;
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 4000; i++) {
            sum += plain(i) + greedy(i);
        }
        System.out.println(sum);
    }
}
