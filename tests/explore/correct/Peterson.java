import java.util.concurrent.atomic.AtomicIntegerArray;

/** Peterson's lock. */
public class Peterson {
    static final AtomicIntegerArray wants = new AtomicIntegerArray(2);
    static volatile int last;

    static void add(int me, int[] n) {
        for (int i = 0; i < 2; i++) {
            wants.set(me, 1);
            last = me;
            while (wants.get(1 - me) == 1 && last == me) {
            }
            n[0]++;
            wants.set(me, 0);
        }
    }

    public static void main(String[] args) throws Exception {
        int[] n = new int[1];
        Thread a = Check.start(() -> add(0, n)), b = Check.start(() -> add(1, n));
        Check.join(a, b);
        Check.that(n[0] == 4, n[0]);
    }
}
