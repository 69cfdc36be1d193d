/** One method executes most bytecodes, another one takes the time: it sleeps. */
public class Sleeps {
    static int busy(int n) {
        int sum = 0;
        for (int i = 0; i < 5000; i++) {
            sum += i ^ n;
        }
        return sum;
    }

    static int lazy(int n) throws InterruptedException {
        Thread.sleep(5);
        return n;
    }

    static int turn(int n) throws InterruptedException {
        return busy(n) + lazy(n);
    }

    public static void main(String[] args) throws InterruptedException {
        long sum = 0;
        for (int i = 0; i < 400; i++) {
            sum += turn(i);
        }
        System.out.println(sum);
    }
}
