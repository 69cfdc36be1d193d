import java.util.*;
import java.util.stream.*;

/** Sets, EnumSet, BitSet, PriorityQueue: operations, order, bulk operations, identity of iteration with equality. */
public class Sets {
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }
    enum Big { A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, D0, D1, D2, D3, D4, D5, D6, D7, D8, D9, E0, E1, E2, E3, E4, E5, E6, E7, E8, E9, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, G0, G1, G2, G3, G4, G5 }

    public static void main(String[] args) {
        for (Set<Integer> s : List.of(new HashSet<Integer>(), new LinkedHashSet<Integer>(), new TreeSet<Integer>(Comparator.reverseOrder()), new java.util.concurrent.ConcurrentSkipListSet<Integer>())) {
            for (int i = 0; i < 10; i++) s.add(i * i % 13);
            System.out.println(s.getClass().getSimpleName() + " " + s + " " + s.add(3) + s.add(99) + s.remove(1) + s.remove(1) + s.contains(12) + s.size() + " " + s.equals(new HashSet<>(s)) + " " + s.hashCode());
            Set<Integer> other = new HashSet<>(List.of(0, 3, 9, 50));
            Set<Integer> union = new TreeSet<>(s), inter = new TreeSet<>(s), diff = new TreeSet<>(s);
            union.addAll(other);
            inter.retainAll(other);
            diff.removeAll(other);
            System.out.println(union + " " + inter + " " + diff + " " + s.containsAll(inter) + " " + Collections.disjoint(diff, other));
        }
        TreeSet<String> t = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Collections.addAll(t, "b", "A", "c", "B", "d", "a");
        System.out.println(t + " " + t.first() + t.floor("bb") + t.ceiling("BB") + t.headSet("c", true) + t.descendingSet() + t.pollFirst() + t.subSet("b", "d"));
        EnumSet<Day> week = EnumSet.range(Day.MON, Day.FRI), rest = EnumSet.complementOf(week);
        week.remove(Day.WED);
        System.out.println(week + " " + rest + " " + EnumSet.allOf(Day.class).size() + EnumSet.noneOf(Day.class) + EnumSet.of(Day.SUN, Day.MON) + week.contains(Day.TUE) + week.containsAll(rest));
        EnumSet<Big> big = EnumSet.allOf(Big.class);
        big.removeIf(b -> b.ordinal() % 3 != 0);
        System.out.println(big.size() + " " + EnumSet.complementOf(big).size() + " " + big.contains(Big.G5) + " " + EnumSet.range(Big.F8, Big.G2));
        BitSet b = new BitSet();
        for (int i = 0; i < 200; i += 7) b.set(i);
        BitSet c = new BitSet(10);
        c.set(10, 80);
        c.flip(20, 30);
        BitSet d = (BitSet) b.clone();
        d.and(c);
        System.out.println(d + " " + d.cardinality() + " " + b.length() + " " + b.nextSetBit(50) + b.nextClearBit(49) + b.previousSetBit(48) + b.previousClearBit(7) + " " + Arrays.toString(c.toLongArray()) + " " + b.intersects(c));
        b.xor(c);
        b.andNot(d);
        b.clear(100, 150);
        System.out.println(b.cardinality() + " " + b.hashCode() + " " + b.stream().sum() + " " + BitSet.valueOf(new long[] {5, 1}) + " " + b.get(0, 30) + new BitSet().length());
        PriorityQueue<String> q = new PriorityQueue<>(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        Collections.addAll(q, "pear", "fig", "banana", "kiwi", "apple", "date", "a");
        q.remove("kiwi");
        StringBuilder s = new StringBuilder();
        while (!q.isEmpty()) s.append(q.poll()).append(' ');
        System.out.println(s);
        PriorityQueue<Integer> pq = new PriorityQueue<>();
        int x = 77, h = 0;
        for (int i = 0; i < 500; i++) { x = x * 1103515245 + 12345; pq.add(x >>> 8); if (i % 3 == 0) h = h * 31 + pq.poll(); }
        while (!pq.isEmpty()) h = h * 31 + pq.remove();
        System.out.println(h);
        try { Set.of(1, 1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try { new TreeSet<Object>().add(new Object()); } catch (ClassCastException e) { System.out.println("not comparable"); }
        try { new TreeSet<>(List.of((Comparable<?>) 1, "s").stream().map(o -> (Comparable) o).collect(Collectors.toList())); } catch (ClassCastException e) { System.out.println("mixed"); }
        System.out.println(Set.of(1, 2, 3).equals(new TreeSet<>(List.of(3, 2, 1))) + " " + Set.of(1, 2, 3).hashCode() + " " + new TreeSet<>(Set.of("z", "y")) + " " + Collections.newSetFromMap(new LinkedHashMap<String, Boolean>()).add("k") + " " + Set.copyOf(List.of(5, 5)).size());
    }
}
