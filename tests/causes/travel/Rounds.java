/** A program that runs long, so that many checkpoints come about: the argument is a number of rounds. */
public class Rounds {
    static int state = 1;
    static int marks;

    static void mark(int i) {
        marks += i & 1;
    }

    static int round(int x) {
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        return x;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < rounds; i++) {
            state = round(state);
            if (i % 1_000_000 == 999_999) {
                mark(i);
            }
        }
        System.out.println(state + " " + marks);
    }
}
