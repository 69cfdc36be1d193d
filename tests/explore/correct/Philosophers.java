import java.util.*;

/** Forks in one order. */
public class Philosophers {
    public static void main(String[] args) throws Exception {
        Object[] forks = {new Object(), new Object(), new Object()};
        int[] meals = new int[3];
        Thread[] all = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int own = i, first = Math.min(i, (i + 1) % 3), second = Math.max(i, (i + 1) % 3);
            all[i] = Check.start(() -> {
                synchronized (forks[first]) {
                    synchronized (forks[second]) {
                        meals[own]++;
                    }
                }
            });
        }
        Check.join(all);
        Check.that(meals[0] + meals[1] + meals[2] == 3, Arrays.toString(meals));
    }
}
