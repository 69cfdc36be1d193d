/** One thread that never sleeps: so many rounds of work. */
public class Busy {
    static long work(long n) {
        long sum = 0;
        for (long i = 0; i < n; i++) {
            sum += i ^ (sum << 1);
        }
        return sum;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        System.out.println("ready");
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += work(1000);
            sum += new int[i & 63].length;
        }
        System.out.println("done " + sum);
    }
}
