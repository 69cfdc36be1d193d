import java.util.ArrayList;
import java.util.List;

/**
 * A finder of railway routes by Dijkstra's algorithm, in the shape of the one in the paper on JUDI and JBolt: edges are found by
 * comparing the names of both stations with those of each edge there is, and Edge.isMe is where the time goes.
 */
public class Routes {
    public static void main(String[] args) {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 12;
        Network network = Network.load(size);
        Finder finder = new Finder(network);
        long sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += finder.route(network.nodes.get(i), network.nodes.get(network.nodes.size() - 1 - i));
        }
        System.out.println(sum);
    }
}

final class Node {
    final String name;
    int distance;
    boolean done;

    Node(String name) {
        this.name = name;
    }
}

final class Edge {
    final Node from;
    final Node to;
    final int length;

    Edge(Node from, Node to, int length) {
        this.from = from;
        this.to = to;
        this.length = length;
    }

    boolean isMe(Node a, Node b) {
        return same(from.name, a.name) && same(to.name, b.name);
    }

    private static boolean same(String a, String b) {
        int n = a.length();
        if (n != b.length()) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (a.charAt(i) != b.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}

final class Network {
    final List<Node> nodes = new ArrayList<>();
    final List<Edge> edges = new ArrayList<>();

    static Network load(int size) {
        Network network = new Network();
        for (int i = 0; i < size * size; i++) {
            network.nodes.add(new Node("station" + i));
        }
        for (int i = 0; i < size * size; i++) {
            if (i % size > 0) {
                network.join(i, i - 1);
            }
            if (i >= size) {
                network.join(i, i - size);
            }
        }
        return network;
    }

    private void join(int a, int b) {
        int length = 1 + (a * 31 + b * 17) % 97;
        edges.add(new Edge(nodes.get(a), nodes.get(b), length));
        edges.add(new Edge(nodes.get(b), nodes.get(a), length));
    }

    Edge edge(Node a, Node b) {
        for (Edge e : edges) {
            if (e.isMe(a, b)) {
                return e;
            }
        }
        return null;
    }
}

final class Finder {
    private final Network network;

    Finder(Network network) {
        this.network = network;
    }

    int route(Node from, Node to) {
        for (Node n : network.nodes) {
            n.distance = Integer.MAX_VALUE;
            n.done = false;
        }
        from.distance = 0;
        Node next = from;
        while (next != null && next != to) {
            next.done = true;
            next = findNextNode(next);
        }
        return to.distance;
    }

    /** Where the search branches: neighbours are relaxed, and the nearest node that is left is looked for. */
    private Node findNextNode(Node at) {
        relax(at);
        return nearest();
    }

    private void relax(Node at) {
        for (Node n : around(at)) {
            Edge e = network.edge(at, n);
            if (at.distance + e.length < n.distance) {
                n.distance = at.distance + e.length;
            }
        }
    }

    private List<Node> around(Node at) {
        List<Node> found = new ArrayList<>();
        int i = network.nodes.indexOf(at);
        int size = (int) Math.sqrt(network.nodes.size());
        for (int j : new int[] {i - 1, i + 1, i - size, i + size}) {
            if (j >= 0 && j < network.nodes.size() && network.edge(at, network.nodes.get(j)) != null) {
                found.add(network.nodes.get(j));
            }
        }
        return found;
    }

    private Node nearest() {
        Node best = null;
        for (Node n : network.nodes) {
            if (!n.done && n.distance < Integer.MAX_VALUE && (best == null || n.distance < best.distance)) {
                best = n;
            }
        }
        return best;
    }
}
