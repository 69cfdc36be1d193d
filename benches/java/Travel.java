import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What `travel.py` debugs forward and backward: one thread that computes, or four that also allocate and share a monitor. */
public class Travel {
    static int state = 1;
    static int marks;
    static long shared;
    static final Object LOCK = new Object();

    static void mark(int i) {
        marks += i & 1;
    }

    static int round(int x) {
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        return x;
    }

    /** Nothing calls it: a breakpoint here is looked for everywhere, and found nowhere. */
    static void never() {
        state = 0;
    }

    static void alone(int rounds) {
        for (int i = 0; i < rounds; i++) {
            state = round(state);
            if (i % 1_000_000 == 999_999) {
                mark(i);
            }
        }
    }

    static void works(int seed, int rounds) {
        Map<Integer, List<Integer>> kept = new HashMap<>();
        int x = seed;
        for (int i = 0; i < rounds; i++) {
            x = round(x);
            List<Integer> list = kept.computeIfAbsent(x & 0xfff, k -> new ArrayList<>());
            if (list.size() > 20) {
                list.clear();
            }
            list.add(x);
            if (i % 100 == 0) {
                synchronized (LOCK) {
                    shared += list.size();
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[1]);
        if (args[0].equals("alone")) {
            alone(rounds);
        } else {
            Thread[] all = new Thread[4];
            for (int i = 0; i < all.length; i++) {
                int seed = i + 1;
                all[i] = new Thread(() -> works(seed, rounds / all.length), "worker " + seed);
                all[i].start();
            }
            for (Thread t : all) {
                t.join();
            }
        }
        System.out.println(state + " " + marks + " " + shared);
    }
}
