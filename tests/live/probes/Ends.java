/** Ends in the way that its argument says. */
public class Ends {
    static int work(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 1000; i++) {
            work(i);
        }
        switch (args[0]) {
            case "exit":
                System.exit(3);
                break;
            case "halt":
                Runtime.getRuntime().halt(4);
                break;
            case "throw":
                throw new IllegalStateException("on purpose");
            case "wait":
                System.out.println("waiting");
                Thread.sleep(60_000);
                break;
            default:
                break;
        }
    }
}
