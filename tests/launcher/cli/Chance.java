import java.math.BigInteger;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

class Chance {
    public static void main(String[] args) {
        System.out.println(ThreadLocalRandom.current().nextLong());
        System.out.println(new SplittableRandom().nextLong());
        System.out.println(new Random().nextLong() + " " + new Random().nextLong() + " " + Math.random());
        System.out.println(new BigInteger("170141183460469231731687303715884105727").isProbablePrime(40));
    }
}
