/** Methods that call each other at random: nearly every call is a context of its own. */
public class Mutual {
    static int seed = 42;

    static int choice(int below) {
        seed = seed * 1103515245 + 12345;
        return (seed >>> 16) % below;
    }

    static int first(int depth) {
        return depth == 0 ? 1 : choice(2) == 0 ? second(depth - 1) : third(depth - 1);
    }

    static int second(int depth) {
        return depth == 0 ? 2 : choice(2) == 0 ? first(depth - 1) : third(depth - 1);
    }

    static int third(int depth) {
        return depth == 0 ? 3 : choice(2) == 0 ? first(depth - 1) : second(depth - 1);
    }

    public static void main(String[] args) {
        if (args.length > 1) {
            System.out.println("ready");
            while (!new java.io.File(args[1]).exists()) first(20);
        }
        int sum = 0;
        for (int i = 0; i < Integer.parseInt(args[0]); i++) sum += first(200);
        System.out.println(sum);
    }
}
