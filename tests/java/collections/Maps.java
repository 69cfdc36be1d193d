import java.util.*;

/** HashMap, LinkedHashMap, TreeMap and their relatives: compute, merge, views, navigation, collisions, access order. */
public class Maps {
    static class Bad implements Comparable<Bad> {
        final int v;
        Bad(int v) { this.v = v; }
        @Override public int hashCode() { return v & 1; }
        @Override public boolean equals(Object o) { return o instanceof Bad b && b.v == v; }
        @Override public int compareTo(Bad o) { return Integer.compare(v, o.v); }
        @Override public String toString() { return "B" + v; }
    }

    static void common(Map<String, Integer> m) {
        System.out.println(m.getClass().getSimpleName());
        for (String w : "the cat and the dog and the bird sat on a mat".split(" ")) m.merge(w, 1, Integer::sum);
        System.out.println(new TreeMap<>(m) + " " + m.put("cat", 10) + m.putIfAbsent("cat", 11) + m.putIfAbsent("new", 12) + m.get("none") + m.getOrDefault("none", -1) + m.containsKey("dog") + m.containsValue(12));
        System.out.println(m.compute("cat", (k, v) -> v == null ? 1 : v + k.length()) + " " + m.compute("dog", (k, v) -> null) + " " + m.computeIfAbsent("fox", String::length) + " " + m.computeIfPresent("fox", (k, v) -> v * 2) + " " + m.computeIfPresent("none", (k, v) -> 1) + " " + m.merge("the", 5, (a, b) -> null) + " " + m.remove("mat") + m.remove("a", 5) + m.replace("a", 9) + m.replace("a", 9, 8) + " " + m.size());
        m.replaceAll((k, v) -> v + 1000);
        m.entrySet().removeIf(e -> e.getKey().length() == 2);
        m.values().remove(1012);
        m.keySet().retainAll(Set.of("cat", "and", "bird", "fox", "sat"));
        int sum = 0;
        for (Map.Entry<String, Integer> e : m.entrySet()) { sum += e.getValue(); e.setValue(e.getValue() - 1000); }
        System.out.println(new TreeMap<>(m) + " " + sum + " " + m.equals(new HashMap<>(m)) + " " + (m.hashCode() == new TreeMap<>(m).hashCode()));
        try {
            for (String k : m.keySet()) m.put(k + "x", 1);
        } catch (ConcurrentModificationException e) {
            System.out.println("concurrent");
        }
    }

    public static void main(String[] args) {
        common(new HashMap<>());
        common(new LinkedHashMap<>());
        common(new TreeMap<>());
        common(new Hashtable<>());
        common(new TreeMap<>(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder())));
        Map<Bad, Integer> bad = new HashMap<>();
        for (int i = 0; i < 200; i++) bad.put(new Bad(i * 7 % 200), i);
        int h = 0;
        for (int i = 0; i < 300; i++) h = h * 31 + bad.getOrDefault(new Bad(i), -1);
        for (int i = 0; i < 200; i += 3) bad.remove(new Bad(i));
        System.out.println(h + " " + bad.size() + " " + bad.get(new Bad(7)) + " " + bad.containsKey(new Bad(9)));
        LinkedHashMap<Integer, String> lru = new LinkedHashMap<>(4, 0.75f, true) { protected boolean removeEldestEntry(Map.Entry<Integer, String> e) { return size() > 3; } };
        for (int i = 0; i < 5; i++) { lru.put(i, "v" + i); lru.get(2); }
        System.out.println(lru);
        TreeMap<Integer, String> t = new TreeMap<>();
        for (int i = 0; i < 100; i += 10) t.put(i * 7 % 100, "n" + i);
        System.out.println(t.firstKey() + " " + t.lastEntry() + " " + t.floorKey(35) + t.ceilingKey(35) + t.lowerKey(30) + t.higherKey(30) + t.floorKey(-1) + " " + t.headMap(30) + t.tailMap(80, false) + t.subMap(20, true, 40, true) + " " + t.descendingMap().firstKey() + t.navigableKeySet().descendingSet().headSet(70));
        NavigableMap<Integer, String> sub = t.subMap(20, true, 60, false);
        sub.remove(30);
        sub.put(35, "in");
        try { sub.put(60, "out"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        System.out.println(t.pollFirstEntry() + " " + t.pollLastEntry() + " " + sub + " " + t.size());
        try { t.put(null, "x"); } catch (NullPointerException e) { System.out.println("null key"); }
        Map<Object, Object> n = new HashMap<>();
        n.put(null, null);
        System.out.println(n + " " + n.containsKey(null) + n.get(null) + n.computeIfAbsent(null, k -> "now") + n);
        try { n.computeIfAbsent("k", k -> { n.put("other", 1); return 2; }); System.out.println("no check"); } catch (ConcurrentModificationException e) { System.out.println("modified in compute"); }
        EnumMap<Thread.State, Integer> em = new EnumMap<>(Thread.State.class);
        em.put(Thread.State.WAITING, 1);
        em.put(Thread.State.NEW, 2);
        System.out.println(em + " " + em.containsKey(Thread.State.BLOCKED) + em.remove(Thread.State.NEW) + em);
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        id.put("a", 1);
        id.put(new String("a"), 2);
        System.out.println(id.size() + " " + id.get("a") + " " + id.containsKey(new String("a")));
        for (Object o : new Object[] {Map.of("k", 1), Map.entry("a", 2), Collections.singletonMap("x", 3), Map.copyOf(t).size(), new AbstractMap.SimpleEntry<>("s", 4)}) System.out.print(o + " ");
        System.out.println();
        Map<Integer, Integer> big = new HashMap<>();
        for (int i = 0; i < 5000; i++) big.merge(i * 31 % 1009, i, (a, b) -> a ^ b);
        long sum = 0;
        for (var e : big.entrySet()) sum = sum * 3 + e.getKey() * e.getValue();
        System.out.println(big.size() + " " + sum);
    }
}
