import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Two take turns, by a variable that both look at. */
public class PingPong {
    public static void main(String[] args) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Check.Body[] bodies = new Check.Body[2];
        for (int i = 0; i < 2; i++) {
            int own = i;
            bodies[i] = () -> {
                for (int k = 0; k < 5; k++) {
                    while (turn.get() != own) {
                        Thread.onSpinWait();
                    }
                    turn.set(1 - own);
                }
            };
        }
        Check.join(Check.start(bodies[0]), Check.start(bodies[1]));
        Check.that(turn.get() == 0, turn);
    }
}
