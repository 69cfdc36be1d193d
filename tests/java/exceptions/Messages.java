import java.util.*;

/** Messages of the exceptions the VM and the core library throw. */
public class Messages {
    interface Body { Object run() throws Throwable; }

    static int n = 0;

    static void show(String what, Body b) {
        try {
            System.out.println(what + ": " + b.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }

    public static void main(String[] args) {
        int[] a = new int[3];
        Object o = "text";
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        show("div", () -> 1 / n);
        show("rem", () -> 1L % n);
        show("floorMod", () -> Math.floorMod(5, n));
        show("index", () -> a[3]);
        show("index", () -> a[-1]);
        show("index", () -> "abc".charAt(3));
        show("index", () -> "abc".substring(2, 1));
        show("index", () -> "abc".substring(-1));
        show("index", () -> new StringBuilder("ab").deleteCharAt(2));
        show("index", () -> new StringBuilder("ab").insert(3, "x"));
        show("index", () -> list.get(3));
        show("index", () -> list.remove(-1));
        show("index", () -> list.subList(2, 5));
        show("index", () -> Objects.checkIndex(5, 5));
        show("index", () -> List.of(1).get(1));
        show("index", () -> Arrays.asList(1, 2).get(2));
        show("negative", () -> new int[n - 1]);
        show("negative", () -> new ArrayList<>(-1));
        show("cast", () -> (Integer) o);
        show("store", () -> ((Object[]) new Integer[1])[0] = "s");
        show("exact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        show("exact", () -> Math.multiplyExact(1L << 62, 2));
        show("exact", () -> Math.toIntExact(1L << 40));
        show("number", () -> Long.parseLong("12x"));
        show("number", () -> Double.parseDouble("1.2.3"));
        show("number", () -> Integer.parseInt(null));
        show("number", () -> Integer.parseInt("9", 8));
        show("number", () -> Integer.decode(""));
        show("immutable", () -> List.of(1).add(2));
        show("immutable", () -> Collections.unmodifiableList(list).add(1));
        show("element", () -> new ArrayDeque<>().pop());
        show("element", () -> Optional.empty().get());
        show("element", () -> List.of().iterator().next());
        show("element", () -> new Scanner("").next());
        show("null", () -> Objects.requireNonNull(null, "given message"));
        show("null", () -> Optional.of(null));
        show("comod", () -> { for (Integer i : list) list.remove(i); return list; });
        show("duplicate", () -> Map.of("a", 1, "a", 2));
        show("class", () -> Class.forName("does.not.Exist"));
        show("class", () -> Class.forName("[Lnone;"));
        show("method", () -> String.class.getMethod("nothing", int.class));
        show("field", () -> String.class.getField("nothing"));
        show("enum", () -> Thread.State.valueOf("IDLE"));
        show("char", () -> Character.toChars(-1));
        show("format", () -> String.format("%d", "x"));
        show("format", () -> String.format("%q", 1));
        show("format", () -> String.format("%s %s", 1));
        show("capacity", () -> new HashMap<>(-5));
        show("copyOf", () -> Arrays.copyOfRange(a, 2, 1));
        show("random", () -> new Random(1).nextInt(0));
        show("uuid", () -> UUID.fromString("1-2-3"));
        show("thread", () -> { Thread.currentThread().setPriority(11); return 0; });
        show("base64", () -> Base64.getDecoder().decode("a*b="));
        show("sleep", () -> { Thread.sleep(-1); return 0; });
        show("charset", () -> java.nio.charset.Charset.forName("no such"));
    }
}
