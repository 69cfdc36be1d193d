/** Writes that initialize their class first, and writes that throw. */
public class Initial {
    public static void main(String[] args) {
        int given = args.length + 40;
        Quick.value = given + 2;
        Slow.value = given + 3;
        int now = Slow.value;
        try {
            Never.value = given;
        } catch (ExceptionInInitializerError e) {
            now++;
        }
        Object[] things = new String[2];
        things[0] = "text";
        things[1] = "other";
        for (int i = 0; i < 3; i++) {
            try {
                things[i] = Integer.valueOf(i);
            } catch (ArrayStoreException | ArrayIndexOutOfBoundsException e) {
                now++;
            }
        }
        System.out.println(now + " " + Quick.value + " " + things[0] + things[1]);
    }
}

class Quick {
    static int value = 1;
}

/** So slow that checkpoints are made on the way. */
class Slow {
    static int rounds;
    static int value = 1;
    static {
        for (int i = 0; i < 3_000_000; i++) {
            rounds += i;
        }
        value = 2;
    }
}

class Never {
    static int value = 1;
    static {
        value = 3;
        if (value == 3) {
            throw new IllegalStateException();
        }
    }
}
