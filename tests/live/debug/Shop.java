import java.util.ArrayList;
import java.util.List;

/** A program for a debugger: methods, fields, exceptions, threads that wait for each other. */
public class Shop {
    static int sold;
    static final String TITLE = "shop";
    String name;
    int stock = 10;
    long total;
    double price = 2.5;
    char mark = 'x';
    boolean open;
    int[] sizes = {1, 2, 3};
    List<String> log = new ArrayList<>();

    Shop(String name) {
        this.name = name;
        this.open = true;
    }

    int sell(int count, String to) {
        int left = stock - count;
        long sum = total + count;
        stock = left;
        total = sum;
        sold += count;
        log.add(to + ":" + count);
        return left;
    }

    int twice(int count) {
        int first = sell(count, "a");
        int second = sell(count, "b");
        return first + second;
    }

    static int fact(int n) {
        if (n <= 1) {
            return 1;
        }
        return n * fact(n - 1);
    }

    static void fail(int how) {
        try {
            if (how == 1) {
                throw new IllegalStateException("how " + how);
            }
            Object nothing = null;
            nothing.hashCode();
        } catch (IllegalStateException e) {
            System.out.println("caught " + e.getMessage());
        } catch (NullPointerException e) {
            System.out.println("caught null");
        }
    }

    synchronized void locked() {
        synchronized (log) {
            sold++;
        }
        sold++;
    }

    interface Greeter {
        String greet(String who);
    }

    static class Loud implements Greeter {
        public String greet(String who) {
            String s = "HI " + who;
            return s;
        }
    }

    static String version() {
        return Version.text();
    }

    public static void main(String[] args) throws Exception {
        Shop shop = new Shop("corner");
        System.out.println("open " + shop.open);
        int left = shop.sell(2, "c");
        left = shop.twice(1);
        System.out.println("left " + left);
        System.out.println("fact " + fact(4));
        fail(1);
        fail(2);
        shop.locked();
        Greeter g = new Loud();
        System.out.println(g.greet("ann"));
        for (int i = 0; i < 5; i++) {
            sold += i;
        }
        Thread worker = new Thread(() -> work(shop), "worker");
        worker.start();
        worker.join();
        System.out.println(version());
        System.out.println(version());
        System.out.println("sold " + sold); sink(5); sink(4); sink(3); natives(shop.name); Mapped.run(3); Mapped.run(4); hold();
    }

    static void work(Shop shop) {
        shop.stock++;
        shop.locked();
    }

    static void sink(int n) { if (n-- > 1) { sink(n); } }

    static void natives(String name) {
        name.intern();
        "other".intern();
    }

    static void hold() {
        if (System.getProperty("hold") != null) {
            System.loadLibrary("hold");
            Shop shop = new Shop("held");
            enter(shop.log, shop);
        }
    }

    /** Enters the monitor of the object, and calls `locked`. */
    static native void enter(Object held, Shop shop);
}

class Version {
    static String text() {
        return "one";
    }
}

/** Its class file gets a SourceDebugExtension, which maps lines. */
class Mapped {
    static int run(int n) {
        int a = n + 1;
        int b = a * 2;
        int c = b - 3;
        int d = c + a;
        return d;
    }
}
