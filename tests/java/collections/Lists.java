import java.util.*;

/** ArrayList, LinkedList, ArrayDeque, Vector, immutable and wrapped lists: all operations and their failures. */
public class Lists {
    static void exercise(List<Integer> l) {
        for (int i = 0; i < 20; i++) l.add(i * 37 % 20);
        l.add(3, 100);
        l.remove(5);
        l.remove(Integer.valueOf(100));
        l.set(0, -1);
        l.addAll(2, List.of(7, 7, 7));
        l.removeIf(x -> x == 7);
        l.replaceAll(x -> x * 2);
        System.out.println(l.getClass().getSimpleName() + " " + l + " " + l.indexOf(8) + l.lastIndexOf(-2) + l.contains(9) + l.size());
        ListIterator<Integer> it = l.listIterator(l.size());
        int k = 0;
        while (it.hasPrevious()) {
            int v = it.previous();
            if (k++ % 3 == 0) it.remove();
            else if (k % 3 == 0) it.set(v + 1);
            else if (k == 5) it.add(1000);
        }
        System.out.println(l + " " + it.nextIndex());
        List<Integer> sub = l.subList(2, 6);
        sub.set(0, 55);
        sub.remove(1);
        sub.add(66);
        System.out.println(sub + " " + l.subList(0, 8) + " " + sub.hashCode());
        Collections.sort(l);
        System.out.println(l + " " + Collections.binarySearch(l, 55) + " " + Collections.binarySearch(l, 56));
        try {
            for (Integer x : l) if (x == 55) l.add(1);
        } catch (ConcurrentModificationException e) {
            System.out.println("concurrent " + l.size());
        }
        try {
            l.add(3, 1);
            sub.size();
        } catch (ConcurrentModificationException e) {
            System.out.println("sublist");
        }
        l.sort(Comparator.comparing((Integer x) -> x % 5).thenComparing(Comparator.reverseOrder()));
        System.out.println(l + " " + l.equals(new ArrayList<>(l)) + " " + new ArrayList<>(l).equals(l) + " " + l.toArray().length + " " + l.toArray(new Integer[0]).length + " " + l.toArray(Integer[]::new)[0]);
        l.retainAll(Set.of(55, 66, 1));
        System.out.println(l + " " + l.containsAll(List.of(1, 55)));
        l.clear();
        System.out.println(l.isEmpty());
    }

    interface Body { Object run(); }
    static void show(Body b) {
        try {
            System.out.println(b.run());
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        exercise(new ArrayList<>());
        exercise(new LinkedList<>());
        exercise(new Vector<>(1, 3));
        exercise(new java.util.concurrent.CopyOnWriteArrayList<>() { public ListIterator<Integer> listIterator(int i) { return new ArrayList<>(this).listIterator(i); } });
        ArrayDeque<String> d = new ArrayDeque<>(2);
        for (int i = 0; i < 10; i++) if (i % 2 == 0) d.addFirst("f" + i); else d.offerLast("l" + i);
        System.out.println(d + " " + d.pollFirst() + d.pollLast() + d.peekFirst() + d.pop() + " " + d.removeFirstOccurrence("l3") + d.size());
        d.push("top");
        StringBuilder s = new StringBuilder();
        d.descendingIterator().forEachRemaining(x -> s.append(x).append(' '));
        System.out.println(s);
        List<Integer> im = List.of(1, 2, 3), fixed = Arrays.asList(4, 5, 6), un = Collections.unmodifiableList(fixed);
        show(() -> im.add(1));
        show(() -> im.contains(null));
        show(() -> List.of(1, null));
        show(() -> List.copyOf(im) == im);
        show(() -> fixed.set(1, 50));
        show(() -> fixed.add(1));
        show(() -> un.set(0, 1));
        show(() -> im.subList(1, 4));
        show(() -> Collections.emptyList().iterator().next());
        show(() -> Collections.nCopies(3, "x"));
        show(() -> { List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7)); Collections.rotate(l, 2); Collections.swap(l, 0, 6); Collections.reverse(l); return l + " " + Collections.frequency(l, 3) + Collections.max(l) + Collections.min(l, Comparator.reverseOrder()) + Collections.disjoint(l, im) + Collections.indexOfSubList(l, List.of(3, 2)); });
        show(() -> { List<Integer> l = new ArrayList<>(fixed); Collections.shuffle(l, new Random(5)); return l; });
        show(() -> { List<Integer> l = new ArrayList<>(Collections.nCopies(5, 0)); Collections.fill(l, 9); Collections.addAll(l, 1, 2); Collections.copy(l, im); return l; });
        show(() -> Collections.checkedList(new ArrayList<>(), Integer.class).add((Integer) (Object) "s"));
        show(() -> { @SuppressWarnings({"unchecked", "rawtypes"}) boolean b = Collections.checkedList((List) new ArrayList<Integer>(), Integer.class).add("s"); return b; });
        show(() -> new LinkedList<>().removeFirst());
        show(() -> new ArrayDeque<>().offerFirst(null));
        show(() -> { List<Object> self = new ArrayList<>(); self.add(self); return self; });
    }
}
