import java.util.Comparator;

/** Bridge methods: generic overriding, covariant returns, heap pollution found by the cast. */
public class Bridges {
    static abstract class Node<T> {
        T value;
        void set(T v) { value = v; }
        T get() { return value; }
        Object self() { return this; }
        abstract int weigh(T v);
    }

    static class IntNode extends Node<Integer> {
        int sets;
        void set(Integer v) { sets++; super.set(v + 1); }
        Integer get() { return super.get() * 2; }
        IntNode self() { return this; }
        int weigh(Integer v) { return v; }
    }

    static class Special extends IntNode {
        Special self() { return this; }
        int weigh(Integer v) { return -super.weigh(v); }
    }

    static class Pair<A extends Comparable<A>> implements Comparable<Pair<A>> {
        final A a;
        Pair(A a) { this.a = a; }
        public int compareTo(Pair<A> o) { return a.compareTo(o.a); }
    }

    static <T extends Comparable<T>> T max(T[] all) {
        T best = all[0];
        for (T t : all) if (t.compareTo(best) > 0) best = t;
        return best;
    }

    @SuppressWarnings("unchecked")
    static <T> T[] arrayOf(T... items) { return items; }

    static <T> T pick(boolean first, T a, T b) { return first ? a : b; }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        IntNode n = new Special();
        Node<Integer> g = n;
        g.set(20);
        System.out.println(g.get() + " " + n.get() + " " + n.sets + " " + (g.self() == n.self()) + " " + g.weigh(3));
        try {
            ((Node) g).set("text");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(n.sets);
        Node<String> s = new Node<>() {
            int weigh(String v) { return v.length(); }
        };
        ((Node) s).value = 42;
        try {
            String wrong = s.value;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Object fine = s.value;
        System.out.println(fine);
        System.out.println(max(new Pair[] {new Pair<>(3), new Pair<>(9), new Pair<>(4)}).a);
        System.out.println(max(new String[] {"b", "zz", "a"}));
        try {
            ((Comparable) new Pair<>(1)).compareTo("x");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Comparator<String> byLength = new Comparator<>() {
            public int compare(String a, String b) { return a.length() - b.length(); }
        };
        System.out.println(byLength.compare("abc", "z") + " " + ((Comparator) byLength).compare("a", "bb"));
        System.out.println(arrayOf("a", "b").getClass().getName() + " " + arrayOf(1, "x").length);
        System.out.println(pick(true, 1, 2.5) + " " + pick(false, 1, "s"));
        int bridges = 0;
        for (java.lang.reflect.Method m : IntNode.class.getDeclaredMethods()) if (m.isBridge() && m.isSynthetic()) bridges++;
        System.out.println(bridges);
    }
}
