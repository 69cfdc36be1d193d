import java.util.concurrent.atomic.AtomicReference;

/** A stack whose nodes are used again: the head is what it was, and what follows it is not. */
public class Aba {
    static final class Node {
        final int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    static final AtomicReference<Node> head = new AtomicReference<>();

    static Node pop() {
        while (true) {
            Node top = head.get();
            if (top == null) return null;
            Node next = top.next;
            if (head.compareAndSet(top, next)) return top;
        }
    }

    static void push(Node node) {
        do {
            node.next = head.get();
        } while (!head.compareAndSet(node.next, node));
    }

    public static void main(String[] args) throws Exception {
        push(new Node(2, null));
        push(new Node(1, null));
        Node[] popped = new Node[2];
        Thread slow = new Thread(() -> popped[0] = pop(), "slow");
        Thread quick = new Thread(() -> {
            Node a = pop();
            popped[1] = pop();
            if (a != null) push(a);
        }, "quick");
        slow.start();
        quick.start();
        slow.join();
        quick.join();
        int nodes = 0;
        for (Node n = pop(); n != null; n = pop()) nodes += n == popped[1] ? 100 : 1;
        if (nodes >= 100) throw new IllegalStateException("a node that was taken is in the stack again");
    }
}
