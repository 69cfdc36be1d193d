import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Streams: sources, stateless and stateful operations, laziness, collectors, primitive streams, parallel reductions, spliterators. */
public class Streams {
    record Person(String name, int age, String city) { }

    public static void main(String[] args) {
        List<Person> ps = List.of(new Person("Ann", 30, "Oslo"), new Person("Bob", 25, "Rome"), new Person("Cid", 35, "Oslo"), new Person("Dee", 25, "Lima"), new Person("Eve", 40, "Rome"));
        System.out.println(ps.stream().filter(p -> p.age() > 25).map(Person::name).collect(Collectors.joining(", ", "[", "]")));
        System.out.println("" + ps.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.mapping(Person::name, Collectors.toList()))));
        System.out.println(ps.stream().collect(Collectors.partitioningBy(p -> p.age() % 2 == 0, Collectors.averagingInt(Person::age))));
        System.out.println(ps.stream().collect(Collectors.toMap(Person::city, Person::age, Integer::sum, TreeMap::new)) + " " + ps.stream().collect(Collectors.summarizingInt(Person::age)));
        System.out.println(ps.stream().sorted(Comparator.comparingInt(Person::age).thenComparing(Person::name, Comparator.reverseOrder())).map(Person::name).collect(Collectors.toList()));
        try { ps.stream().collect(Collectors.toMap(Person::city, Person::name)); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        StringBuilder log = new StringBuilder();
        Optional<Integer> first = Stream.of(5, 3, 8, 1, 9).peek(x -> log.append('p').append(x)).filter(x -> x > 4).peek(x -> log.append('f').append(x)).skip(1).map(x -> x * x).findFirst();
        System.out.println(first + " " + log);
        System.out.println(IntStream.rangeClosed(1, 5).boxed().flatMap(i -> Stream.of(i, -i)).collect(Collectors.toList()) + " " + Stream.of("a-b", "c").flatMap(s -> Arrays.stream(s.split("-"))).collect(Collectors.toList()) + " " + Stream.of(1, 2, 3).<String>mapMulti((x, sink) -> { for (int i = 0; i < x; i++) sink.accept("m" + x); }).collect(Collectors.toList()));
        System.out.println(Stream.iterate(1, x -> x * 3).limit(8).reduce(0, Integer::sum) + " " + Stream.iterate(1, x -> x < 100, x -> x * 2).map(String::valueOf).collect(Collectors.joining("<")) + " " + Stream.generate(() -> "g").limit(3).collect(Collectors.toList()) + " " + IntStream.iterate(0, i -> i + 1).takeWhile(i -> i < 5).sum() + " " + IntStream.range(0, 10).dropWhile(i -> i < 7).boxed().collect(Collectors.toList()));
        System.out.println(Stream.of(3, 1, 2, 3, 1).distinct().sorted(Comparator.reverseOrder()).collect(Collectors.toList()) + " " + Stream.of("x").anyMatch(String::isEmpty) + Stream.empty().allMatch(x -> false) + Stream.of(1).noneMatch(x -> x == 1) + " " + Stream.of(4, 9, 2).max(Comparator.naturalOrder()).get() + Stream.of(1, 2).count() + " " + Stream.concat(Stream.of(1), Stream.of(2)).toList());
        System.out.println(IntStream.of(3, 1, 2).summaryStatistics() + " " + DoubleStream.of(0.1, 0.2, 0.3).sum() + " " + LongStream.rangeClosed(1, 20).reduce(1, (a, b) -> a * b) + " " + IntStream.range(0, 5).mapToObj(i -> "i" + i).toList() + " " + IntStream.range(0, 0).average() + " " + IntStream.range(0, 4).average().getAsDouble() + " " + "hello".chars().mapToObj(c -> "" + (char) c).sorted().collect(Collectors.joining()));
        System.out.println(Stream.of(1, 2, 3, 4).collect(Collectors.teeing(Collectors.summingInt(x -> x), Collectors.counting(), (a, b) -> a + "/" + b)) + " " + Stream.of("a", "bb", "cc").collect(Collectors.collectingAndThen(Collectors.toList(), Collections::unmodifiableList)) + " " + Stream.of(1, 2, 3).collect(Collectors.reducing(10, x -> x * 2, Integer::sum)) + " " + Stream.of(1, 2, 3, 4, 5).collect(Collectors.filtering(x -> x > 2, Collectors.flatMapping(x -> Stream.of(x, x), Collectors.toList()))) + " " + Stream.of("b", "a").collect(Collectors.toCollection(TreeSet::new)) + " " + Stream.of(5, 6).collect(ArrayList::new, (l, x) -> l.add(0, x), List::addAll));
        Stream<Integer> used = Stream.of(1);
        used.count();
        try { used.count(); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        try { Stream.of(1, null).sorted().toList(); } catch (NullPointerException e) { System.out.println("null in sort"); }
        int[] data = IntStream.range(0, 10000).map(i -> i * 7919 % 10007).toArray();
        System.out.println(Arrays.stream(data).parallel().map(x -> x * 2).filter(x -> x % 3 == 0).asLongStream().sum() + " " + Arrays.stream(data).parallel().boxed().sorted().skip(100).limit(3).collect(Collectors.toList()) + " " + Arrays.stream(data).parallel().mapToObj(Integer::toString).collect(Collectors.groupingByConcurrent(String::length, Collectors.counting())).get(4) + " " + IntStream.range(0, 1000).parallel().boxed().collect(Collectors.toList()).equals(IntStream.range(0, 1000).boxed().toList()));
        List<Integer> ordered = Collections.synchronizedList(new ArrayList<>());
        IntStream.range(0, 50).parallel().boxed().forEachOrdered(ordered::add);
        System.out.println(ordered.equals(IntStream.range(0, 50).boxed().toList()) + " " + List.of(1, 2, 3).parallelStream().reduce(0, (a, b) -> a + b * b, Integer::sum));
        StringBuilder closed = new StringBuilder();
        try (Stream<String> s = Stream.of("c").onClose(() -> closed.append("first ")).onClose(() -> closed.append("second"))) { s.findAny(); }
        System.out.println(closed);
        Spliterator<Integer> sp = List.of(1, 2, 3, 4, 5, 6, 7, 8).spliterator(), half = sp.trySplit();
        StringBuilder parts = new StringBuilder();
        half.forEachRemaining(parts::append);
        sp.tryAdvance(x -> parts.append('|').append(x));
        System.out.println(parts + " " + sp.estimateSize() + " " + sp.hasCharacteristics(Spliterator.SIZED) + " " + StreamSupport.stream(sp, false).map(x -> x + 1).toList());
        Iterator<Integer> it = Stream.of(1, 2, 3).iterator();
        PrimitiveIterator.OfInt pi = IntStream.range(5, 7).iterator();
        System.out.println(it.next() + it.next() + pi.nextInt() + " " + Optional.of(5).map(x -> x + 1).filter(x -> x > 9).or(() -> Optional.of(0)).stream().count() + " " + Optional.empty().isPresent() + OptionalInt.of(3) + Optional.ofNullable(null).orElseGet(() -> "else"));
        Function<Integer, Function<Integer, Integer>> curried = a -> b -> a - b;
        BinaryOperator<Integer> maxBy = BinaryOperator.maxBy(Comparator.comparing(x -> x % 10));
        System.out.println(curried.apply(5).apply(3) + maxBy.apply(19, 28) + " " + Stream.of(1, 2, 3, 4).sequential().unordered().mapToInt(Integer::intValue).asDoubleStream().boxed().map(Object::toString).collect(Collectors.joining("/")));
    }
}
