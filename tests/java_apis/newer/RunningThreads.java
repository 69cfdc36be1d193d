import java.util.ArrayList;
import java.util.List;

/** Since 21: `Thread.currentThread` in loops that are compiled, while virtual threads take turns, wait, and objects move. */
public class RunningThreads {
    static Thread running() {
        return Thread.currentThread();
    }

    /** How often another thread than `own` seems to run. */
    static int wrong(Thread own, int n) {
        int wrong = 0;
        for (int i = 0; i < n; i++) {
            if (running() != own) {
                wrong++;
            }
            if (i % 997 == 0) {
                byte[] garbage = new byte[20_000];
                wrong += garbage[3];
            }
            if (i % 5000 == 0) {
                Thread.yield();
            }
        }
        return wrong;
    }

    public static void main(String[] args) throws InterruptedException {
        int[] sum = new int[2];
        Object lock = new Object();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 40; t++) {
            all.add(Thread.ofVirtual().name("v" + t).start(() -> {
                Thread own = running();
                int found = wrong(own, 20_000);
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    found++;
                }
                found += wrong(own, 20_000);
                synchronized (lock) {
                    sum[0] += found + wrong(own, 2_000);
                    sum[1] += own.isVirtual() ? Integer.parseInt(own.getName().substring(1)) : 0;
                }
            }));
        }
        int own = wrong(running(), 200_000);
        for (Thread t : all) {
            t.join();
        }
        System.out.println(own + " " + sum[0] + " " + sum[1] + " " + running().getName());
    }
}
