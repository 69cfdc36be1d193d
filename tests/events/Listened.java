import java.util.ArrayList;
import java.util.List;

/** A program that an agent listens to. */
public class Listened {
    static final class Gate {
        int passed;

        synchronized void pass() {
            for (int i = 0; i < 3000; i++) passed += i & 1;
        }
    }

    /** What the agent changes. */
    static final class Word {
        static String say() {
            return "before";
        }
    }

    public static void main(String[] args) throws Exception {
        Gate gate = new Gate();
        Runnable work = () -> {
            for (int k = 0; k < 20; k++) gate.pass();
        };
        Thread one = new Thread(work, "one"), two = new Thread(work, "two");
        one.start();
        two.start();
        one.join();
        two.join();
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            Object[] list = {new int[i % 50], i};
            if (i % 20 == 0) kept.add(list);
        }
        System.gc();
        System.out.println(gate.passed + " " + kept.size() + " " + Word.say());
    }
}
