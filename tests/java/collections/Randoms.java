import java.util.*;
import java.util.random.*;
import java.util.stream.*;

/** Random with a seed, SplittableRandom, generators by name: the sequences are specified. */
public class Randoms {
    public static void main(String[] args) {
        Random r = new Random(12345);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(64) + " " + r.nextLong() + " " + r.nextDouble() + " " + r.nextFloat() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextGaussian());
        byte[] b = new byte[7];
        r.nextBytes(b);
        System.out.println(Arrays.toString(b) + " " + r.ints(5, 0, 10).boxed().collect(Collectors.toList()) + " " + r.doubles(2).boxed().collect(Collectors.toList()) + " " + r.longs(2, 5, 7).boxed().collect(Collectors.toList()));
        r.setSeed(7);
        System.out.println(r.nextInt() + " " + new Random(7).nextInt() + " " + r.nextInt(5, 10) + " " + r.nextLong(1L << 40) + " " + r.nextDouble(2.0, 3.0));
        int[] hist = new int[6];
        for (int i = 0; i < 6000; i++) hist[r.nextInt(6)]++;
        System.out.println(Arrays.toString(hist));
        SplittableRandom s = new SplittableRandom(99), t = s.split();
        System.out.println(s.nextInt() + " " + t.nextLong() + " " + s.nextDouble() + " " + t.nextInt(5, 50) + " " + s.ints(3, 0, 100).boxed().collect(Collectors.toList()));
        for (String name : new String[] {"L32X64MixRandom", "L64X128MixRandom", "L128X256MixRandom", "Xoroshiro128PlusPlus", "Xoshiro256PlusPlus", "Random", "SplittableRandom"}) {
            RandomGenerator g = RandomGeneratorFactory.of(name).create(42);
            System.out.println(name + " " + g.nextInt() + " " + g.nextLong() + " " + g.nextInt(1000));
        }
        List<Integer> l = IntStream.range(0, 20).boxed().collect(Collectors.toList());
        Collections.shuffle(l, new Random(3));
        System.out.println(l);
        double sum = 0, sq = 0;
        Random g = new Random(1);
        for (int i = 0; i < 1000; i++) { double x = g.nextGaussian(); sum += x; sq += x * x; }
        System.out.println(sum + " " + sq);
        UUID u = new UUID(g.nextLong(), g.nextLong());
        System.out.println(u + " " + u.version() + " " + u.compareTo(new UUID(0, 0)) + " " + UUID.fromString("123e4567-e89b-12d3-a456-426614174000").timestamp() + " " + UUID.nameUUIDFromBytes("name".getBytes()) + " " + UUID.nameUUIDFromBytes(new byte[0]).version() + " " + u.equals(UUID.fromString(u.toString())) + " " + u.hashCode());
        for (int bad : new int[] {0, -1}) {
            try {
                g.nextInt(bad);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            RandomGenerator.of("None");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
