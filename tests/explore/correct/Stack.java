import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** A stack of nodes that are not used again. */
public class Stack {
    static class Node {
        Node below;
    }

    static void push(AtomicReference<Node> top) {
        Node node = new Node();
        do {
            node.below = top.get();
        } while (!top.compareAndSet(node.below, node));
    }

    static Node pop(AtomicReference<Node> top) {
        Node node;
        do {
            node = top.get();
        } while (node != null && !top.compareAndSet(node, node.below));
        return node;
    }

    public static void main(String[] args) throws Exception {
        AtomicReference<Node> top = new AtomicReference<>();
        Check.Body body = () -> {
            push(top);
            Check.that(pop(top) != null, "empty");
        };
        Check.join(Check.start(body), Check.start(body));
        Check.that(top.get() == null, "left");
    }
}
