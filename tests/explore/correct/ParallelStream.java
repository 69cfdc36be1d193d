import java.util.stream.IntStream;

/** A stream in parallel. */
public class ParallelStream {
    public static void main(String[] args) throws Exception {
        int sum = IntStream.range(0, 16).parallel().map(i -> i * 2).sum();
        Check.that(sum == 240, sum);
    }
}
