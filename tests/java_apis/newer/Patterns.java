import java.util.*;

/** Since 21: sealed types, record patterns, guarded switches, sequenced collections. */
public class Patterns {
    sealed interface Shape permits Circle, Square, Pair {}
    record Circle(double radius) implements Shape {}
    record Square(double side) implements Shape {}
    record Pair(Shape left, Shape right) implements Shape {}
    enum Color { RED, GREEN, BLUE }

    static String text(Object o) {
        return switch (o) {
            case null -> "null";
            case Integer i when i > 10 -> "big " + i;
            case Integer i -> "small " + i;
            case String s when s.isEmpty() -> "empty";
            case String s -> "text " + s;
            case Pair(Circle(var r), Square(double side)) -> "circle and square " + (r + side);
            case Pair(Shape l, Shape r) -> "pair of " + text(l) + " and " + text(r);
            case Circle c -> "circle " + c.radius();
            case Square c -> "square " + c.side();
            case Color.RED -> "red";
            case Color c -> "color " + c.ordinal();
            case int[] a -> "ints " + a.length;
            default -> o.getClass().getSimpleName();
        };
    }

    static double area(Shape s) {
        return switch (s) {
            case Circle(double r) -> 3 * r * r;
            case Square(double a) -> a * a;
            case Pair(Shape l, Shape r) -> area(l) + area(r);
        };
    }

    record Broken(int x) {
        public int x() { throw new IllegalStateException("accessor"); }
    }

    public static void main(String[] args) {
        Shape nested = new Pair(new Pair(new Circle(1), new Square(2)), new Circle(3));
        Object[] all = {null, 5, 50, "", "a", nested, new Pair(new Circle(1), new Square(2)), Color.RED, Color.BLUE,
            new int[3], new ArrayList<>(), 'c'};
        for (Object o : all) System.out.println(text(o));
        System.out.println(area(nested));
        try {
            Object o = new Broken(1);
            if (o instanceof Broken(int x)) System.out.println(x);
        } catch (MatchException e) {
            System.out.println(e + " / " + e.getCause());
        }
        System.out.println(new Pair(new Circle(1), new Square(2)));
        System.out.println(new Circle(2).equals(new Circle(2)) + " " + new Circle(2).hashCode());
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        list.addFirst(0);
        System.out.println(list.reversed() + " " + list.getLast() + " " + list.removeFirst());
        SequencedMap<String, Integer> map = new LinkedHashMap<>();
        map.putFirst("b", 2);
        map.putFirst("a", 1);
        System.out.println(map + " " + map.firstEntry() + " " + map.reversed());
        System.out.println("%s %d".formatted("x", 3) + String.join(",", list.stream().map(String::valueOf).toList()));
        System.out.println("a-b-c".splitWithDelimiters("-", 2).length + " " + "abcabc".indexOf("c", 0, 2) + " " + Math.clamp(50L, 1, 9));
        System.out.println(new StringBuilder().repeat("ab", 3) + " " + Character.isEmoji(0x1F600));
    }
}
