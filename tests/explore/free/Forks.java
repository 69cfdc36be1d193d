import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** Parts of an array that forked tasks write, and the tasks that joined them read. */
public class Forks {

    static final int[] cells = new int[4];

    static final class Sum extends RecursiveTask<Integer> {
        final int from, to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from == 1) return cells[from] = from + 1;
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            left.fork();
            int right = new Sum(middle, to).compute();
            int sum = left.join() + right;
            for (int i = from; i < to; i++) cells[i]++;
            return sum;
        }
    }

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(2);
        int sum = pool.invoke(new Sum(0, 4));
        for (int c : cells) sum += c;
        if (sum != 28) throw new AssertionError(sum);
        pool.shutdown();
    }
}
