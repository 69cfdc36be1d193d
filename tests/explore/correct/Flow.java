import java.util.*;
import java.util.concurrent.*;

/** What is published comes in order. */
public class Flow {
    public static void main(String[] args) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        List<Integer> got = Collections.synchronizedList(new ArrayList<>());
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            CompletableFuture<Void> done = publisher.consume(got::add);
            publisher.submit(1);
            publisher.submit(2);
            publisher.close();
            done.thenRun(over::countDown);
        }
        over.await();
        Check.that(got.equals(List.of(1, 2)), got);
    }
}
