import java.util.*;
import java.util.function.*;

/** Objects, Optional, Properties, Iterator adapters, Comparator chains, Locale, ResourceBundle-free currency and Timer-free odds and ends. */
public class Misc {
    interface Body { Object run() throws Exception; }
    static void show(Body b) {
        try {
            System.out.println(b.run());
        } catch (Exception e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        show(() -> Objects.equals(null, null) + " " + Objects.hash(1, "a", null) + " " + Objects.hashCode(null) + " " + Objects.toString(null, "def") + " " + Objects.requireNonNullElse(null, 5) + " " + Objects.compare("a", "b", Comparator.naturalOrder()) + " " + Objects.deepEquals(new int[] {1}, new int[] {1}) + Objects.isNull(1));
        show(() -> Objects.requireNonNull(null, () -> "supplied"));
        show(() -> Objects.checkFromToIndex(2, 1, 5));
        show(() -> Objects.checkFromIndexSize(3, 3, 5));
        show(() -> Optional.of(1).orElseThrow() + " " + Optional.empty().map(x -> 1) + Optional.of(2).flatMap(x -> Optional.of(x * 2)) + Optional.of(1).equals(Optional.of(1)));
        show(() -> Optional.empty().orElseThrow());
        show(() -> Optional.empty().orElseThrow(() -> new Exception("custom")));
        Properties p = new Properties(), q = new Properties(p);
        p.load(new java.io.StringReader("# comment\na=1\nb : two words \\\n   continued\nkey\\ with\\ blank=x\nuni=\\u00e9\\t!\nempty\nc 5\n!x\n"));
        q.setProperty("a", "own");
        System.out.println(new TreeMap<>(p) + " " + q.getProperty("a") + q.getProperty("c") + q.getProperty("none", "dflt") + " " + new TreeSet<>(q.stringPropertyNames()) + q.size());
        java.io.StringWriter w = new java.io.StringWriter();
        Properties one = new Properties();
        one.setProperty("k é", " v=:#\n");
        one.store(w, null);
        System.out.println(w.toString().lines().filter(l -> !l.startsWith("#")).toList());
        List<String> names = new ArrayList<>(List.of("bob", "Al", "carl", "al", "Bo"));
        names.sort(Comparator.comparing(String::length).reversed().thenComparing(s -> s.toLowerCase(Locale.ROOT)).thenComparing(Comparator.naturalOrder()));
        System.out.println(names + " " + Collections.max(names, Comparator.comparingInt(String::length)));
        Locale l = new Locale.Builder().setLanguage("sr").setScript("Latn").setRegion("RS").build();
        System.out.println(l + " " + l.toLanguageTag() + " " + Locale.forLanguageTag("zh-Hant-TW-x-priv").getScript() + " " + Locale.GERMANY.getDisplayCountry(Locale.ENGLISH) + " " + Locale.FRENCH.getDisplayLanguage(Locale.FRENCH) + " " + Locale.ROOT.toLanguageTag() + " " + new Locale("de", "CH").equals(Locale.forLanguageTag("de-CH")) + " " + Locale.US.getISO3Country() + " " + Locale.lookupTag(Locale.LanguageRange.parse("fr-CA,en;q=0.5"), List.of("en", "fr")));
        System.out.println(Currency.getInstance("EUR").getDefaultFractionDigits() + " " + Currency.getInstance(Locale.JAPAN) + " " + Currency.getInstance("USD").getSymbol(Locale.US));
        // what it says depends on the update of the JDK
        try {
            Currency.getInstance("XYZW");
        } catch (IllegalArgumentException e) {
            System.out.println("no currency");
        }
        Iterator<Integer> it = new Iterator<>() {
            int n;
            public boolean hasNext() { return n < 3; }
            public Integer next() { return n++; }
        };
        show(() -> { it.remove(); return 0; });
        Enumeration<Integer> en = Collections.enumeration(List.of(4, 5));
        int sum = 0;
        while (en.hasMoreElements()) sum += en.nextElement();
        IntSupplier total = () -> { int[] t = {0}; it.forEachRemaining(x -> t[0] += x); return t[0]; };
        System.out.println(sum + " " + total.getAsInt() + " " + Collections.list(new StringTokenizer("a b")).size());
        StringJoiner j = new StringJoiner("/");
        new TreeMap<>(Map.of(3, "c", 1, "a")).forEach((k, v) -> j.add(k + v));
        System.out.println(j + " " + HexFormat.of().withUpperCase().withDelimiter(":").formatHex(new byte[] {1, (byte) 0xab}) + " " + Arrays.toString(HexFormat.of().parseHex("00ff7f")) + " " + Base64.getEncoder().encodeToString("any carnal pleas".getBytes()) + " " + new String(Base64.getDecoder().decode("YW55IGNhcm5hbCBwbGVhcw==")) + " " + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[] {-1, -2, -3, -4}) + " " + Base64.getMimeEncoder(8, new byte[] {'|'}).encodeToString(new byte[10]));
        show(() -> Base64.getDecoder().decode("abc=d"));
        show(() -> HexFormat.of().parseHex("0g"));
        EventObject ev = new EventObject("source");
        show(() -> new EventObject(null));
        System.out.println(ev.getSource() + " " + ev);
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        UnaryOperator<String> id = UnaryOperator.identity();
        System.out.println(add.andThen(x -> x * 10).apply(1, 2) + id.apply("same") + ((Predicate<Integer>) x -> x > 1).negate().test(1));
    }
}
