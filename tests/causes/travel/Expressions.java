import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Expressions and their values: what `print "" + (EXPRESSION)` shows at `here` is what the program itself prints. */
public class Expressions {
    interface Shape {
        double area();

        default String named() {
            return "shape of " + area();
        }
    }

    static class Square implements Shape {
        final int side;

        Square(int side) {
            this.side = side;
        }

        public double area() {
            return side * side;
        }

        @Override
        public String toString() {
            return "Square " + side;
        }
    }

    static class Node {
        String name = "loop";
        Node next = this;
    }

    static int count = 3;
    final int own = 12;
    private final int[][] grid = {{1, 2}, {3, 4, 5}};
    byte small = -7;

    static int twice(int x) {
        return 2 * x;
    }

    static String pick(int x) {
        return "int";
    }

    static String pick(long x) {
        return "long";
    }

    static String pick(double x) {
        return "double";
    }

    static String pick(Integer x) {
        return "Integer";
    }

    static String pick(Object x) {
        return "Object";
    }

    static String pick(String x) {
        return "String";
    }

    static String all(String first, Object... rest) {
        return first + rest.length;
    }

    static int sum(int... all) {
        int sum = 0;
        for (int i : all) {
            sum += i;
        }
        return sum;
    }

    static long wide(long x) {
        return x + 1;
    }

    static String boxed(Long x) {
        return "Long " + x;
    }

    private int secret(int more) {
        return own + more;
    }

    static int fails(int x) {
        throw new IllegalStateException("no " + x);
    }

    static int forever() {
        while (true) {
            count++;
        }
    }

    int adds() {
        return ++count;
    }

    static int prints() {
        System.out.println("printed by an expression");
        return 5;
    }

    void here(int i, long l, char c, boolean yes, String text, Object any, List<Object> list, Map<String, Integer> map, int[] array) {
        show("i + 1", i + 1);
        show("i * l - c", i * l - c);
        show("i / 3 + i % 3", i / 3 + i % 3);
        show("(double) i / 3", (double) i / 3);
        show("(float) i / 3", (float) i / 3);
        show("1e10 * i", 1e10 * i);
        show("(byte) (i * 100)", (byte) (i * 100));
        show("(char) (c + 1)", (char) (c + 1));
        show("c + 1", c + 1);
        show("(int) 3.99 + (int) -3.99f", (int) 3.99 + (int) -3.99f);
        show("i << 30", i << 30);
        show("-i >> 1", -i >> 1);
        show("-i >>> 28", -i >>> 28);
        show("l << 40", l << 40);
        show("~i & 0xff | 1 ^ 8", ~i & 0xff | 1 ^ 8);
        show("yes && i > 5 || !yes", yes && i > 5 || !yes);
        show("yes ? text : null", yes ? text : null);
        show("i > 100 ? 1 : i > 5 ? 2 : 3", i > 100 ? 1 : i > 5 ? 2 : 3);
        show("text + i + c + l + yes + null", text + i + c + l + yes + null);
        show("i + c + text", i + c + text);
        show("text.length() + text.indexOf(\"l\")", text.length() + text.indexOf("l"));
        show("text.substring(1, 3).toUpperCase()", text.substring(1, 3).toUpperCase());
        show("text.charAt(1)", text.charAt(1));
        show("\"literal\".concat(text)", "literal".concat(text));
        show("twice(i) + Expressions.twice(2)", twice(i) + Expressions.twice(2));
        show("secret(3)", secret(3));
        show("this.secret(own)", this.secret(own));
        show("own + count + small", own + count + small);
        show("grid[1][2] + grid.length + grid[0].length", grid[1][2] + grid.length + grid[0].length);
        show("array[i - 6] + array.length", array[i - 6] + array.length);
        show("pick(i)", pick(i));
        show("pick(l)", pick(l));
        show("pick(c)", pick(c));
        show("pick(1.5f)", pick(1.5f));
        show("pick(text)", pick(text));
        show("pick((Object) text)", pick((Object) text));
        show("pick((long) i)", pick((long) i));
        show("pick(Integer.valueOf(i))", pick(Integer.valueOf(i)));
        show("pick(yes)", pick(yes));
        show("pick(array)", pick(array));
        show("all(\"a\")", all("a"));
        show("all(\"a\", 1, \"b\", 'c')", all("a", 1, "b", 'c'));
        show("sum()", sum());
        show("sum(1, 2, i)", sum(1, 2, i));
        show("sum(array)", sum(array));
        show("wide(i)", wide(i));
        show("wide(Integer.valueOf(5))", wide(Integer.valueOf(5)));
        show("boxed(l)", boxed(l));
        show("Math.max(i, l)", Math.max(i, l));
        show("Math.sqrt(i + 2)", Math.sqrt(i + 2));
        show("Integer.toHexString(255)", Integer.toHexString(255));
        show("Integer.MAX_VALUE + 1", Integer.MAX_VALUE + 1);
        show("String.format(\"%d-%s\", i, text)", String.format("%d-%s", i, text));
        show("java.util.Arrays.toString(array)", java.util.Arrays.toString(array));
        show("any instanceof Shape", any instanceof Shape);
        show("any instanceof String", any instanceof String);
        show("null instanceof String", (Object) null instanceof String);
        show("((Square) any).side", ((Square) any).side);
        show("((Shape) any).area()", ((Shape) any).area());
        show("((Shape) any).named()", ((Shape) any).named());
        show("any", any);
        show("any == null", any == null);
        show("any.equals(any)", any.equals(any));
        show("any.getClass().getSimpleName()", any.getClass().getSimpleName());
        show("new Square(4).area()", new Square(4).area());
        show("new Square(twice(2))", new Square(twice(2)));
        show("new int[]{1, i, 'c'}.length", new int[]{1, i, 'c'}.length);
        show("sum(new int[]{1, i, 'c'})", sum(new int[]{1, i, 'c'}));
        show("new int[2][3][1].length", new int[2][3][1].length);
        show("new String[]{text, null}[0]", new String[]{text, null}[0]);
        show("list.size() + map.size()", list.size() + map.size());
        show("map.get(\"b\") + 1", map.get("b") + 1);
        show("map.containsKey(text)", map.containsKey(text));
        show("list.get(0) + \"\" + list.get(1)", list.get(0) + "" + list.get(1));
        show("map", map);
        show("new StringBuilder(text).reverse().append(i)", new StringBuilder(text).reverse().append(i));
        show("Long.MAX_VALUE + l", Long.MAX_VALUE + l);
        show("0.1 + 0.2", 0.1 + 0.2);
        show("100f * 1.1f", 100f * 1.1f);
        show("1.0 / 0", 1.0 / 0);
        show("list.get(1) == list.get(1)", list.get(1) == list.get(1));
    }

    static void show(String expression, Object value) {
        System.out.println(expression + " = " + value);
    }

    public static void main(String[] args) {
        List<Object> list = new ArrayList<>(List.of(1, "one", 'x', 2.5));
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        Expressions e = new Expressions();
        e.here(7, 40L, 'c', true, "hello", new Square(3), list, map, new int[]{10, 20, 30});
        List<Object> cyclic = new ArrayList<>();
        cyclic.add("first");
        cyclic.add(cyclic);
        Map<Object, Object> nested = new HashMap<>();
        nested.put("self", nested);
        String[] long1 = {"y".repeat(5000)};
        Node node = new Node();
        List<Integer> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            many.add(i);
        }
        end(cyclic, nested, long1[0], node, many, e);
    }

    static void end(List<Object> cyclic, Map<Object, Object> nested, String text, Node node, List<Integer> many, Expressions e) {
        System.out.println(count);
    }
}
