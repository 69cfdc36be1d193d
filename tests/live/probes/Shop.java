import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A shop: orders, a cache, a database that is asked in text, stock, reports. Everything in it can be asked about by probes. */
public class Shop {
    interface Price {
        int of(Item item);
    }

    static class Full implements Price {
        public int of(Item item) {
            return item.price;
        }
    }

    static class Reduced extends Full {
        public int of(Item item) {
            return super.of(item) * 9 / 10;
        }
    }

    enum Level { LOW, HIGH }

    static final class Item {
        final String name;
        final int price;

        Item(String name, int price) {
            this.name = name;
            this.price = price;
        }
    }

    static final class Order {
        final int number;
        final List<Item> items = new ArrayList<>();
        String customer;
        int total;

        Order(int number, String customer) {
            this.number = number;
            this.customer = customer;
        }

        void add(Item item) {
            items.add(item);
            total += item.price;
        }
    }

    static class Database {
        int open;

        List<String> query(String sql, int limit) {
            open++;
            List<String> rows = new ArrayList<>();
            int work = sql.contains("JOIN") ? 40 : 5;
            for (int i = 0; i < limit; i++) {
                rows.add("row ".concat(Integer.toString(work(work, i))));
            }
            open--;
            return rows;
        }

        private int work(int n, int seed) {
            int x = seed;
            for (int i = 0; i < n; i++) {
                x = x * 31 + i;
            }
            return x;
        }
    }

    static class Cache {
        final Map<String, List<String>> entries = new LinkedHashMap<>();

        List<String> get(String key) {
            return entries.get(key);
        }

        void put(String key, List<String> value) {
            entries.put(key, value);
        }
    }

    static final class Weak {
        final int id;

        Weak(int id) {
            this.id = id;
        }

        @Override
        public int hashCode() {
            return id % 2;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Weak && ((Weak) other).id == id;
        }
    }

    static final class OutOfStock extends RuntimeException {
        final String item;

        OutOfStock(String item) {
            super("no more " + item);
            this.item = item;
        }
    }

    static final String[] QUERIES = {
        "SELECT * FROM items", "SELECT * FROM orders JOIN items", "SELECT * FROM customers",
    };

    final Database database = new Database();
    final Cache cache = new Cache();
    final Map<String, Integer> stock = new HashMap<>();

    List<String> ask(String sql, int limit) {
        List<String> rows = cache.get(sql);
        if (rows == null) {
            rows = database.query(sql, limit);
            cache.put(sql, rows);
        }
        return rows;
    }

    void take(Item item) {
        Integer left = stock.get(item.name);
        if (left == null || left == 0) {
            throw new OutOfStock(item.name);
        }
        stock.put(item.name, left - 1);
    }

    boolean sell(Order order, Item item, Price price) {
        try {
            take(item);
            order.add(new Item(item.name, price.of(item)));
            return true;
        } catch (OutOfStock e) {
            return false;
        }
    }

    @Deprecated
    static String slowReport(List<Order> orders) {
        String text = "";
        for (Order order : orders) {
            text += order.number + ": " + order.total + "\n";
        }
        return text;
    }

    static String report(List<Order> orders) {
        StringBuilder text = new StringBuilder();
        for (Order order : orders) {
            text.append(order.number).append(": ").append(order.total).append('\n');
        }
        return text.toString();
    }

    static Level level(int total) {
        return total > 30 ? Level.HIGH : Level.LOW;
    }

    static int collisions() {
        Map<Weak, Integer> weak = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            weak.put(new Weak(i), i);
        }
        return weak.size();
    }

    static int parse(String[] words) {
        int good = 0;
        for (String word : words) {
            try {
                good += Integer.parseInt(word);
            } catch (NumberFormatException e) {
                good--;
            }
        }
        return good;
    }

    static int sum(int[] numbers) {
        int sum = 0;
        for (int n : numbers) {
            if (n % 3 == 0) {
                sum += n;
            }
        }
        return sum;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int copies() {
        int length = 0;
        for (int i = 1; i <= 5; i++) {
            byte[] bytes = new byte[i * 1000];
            length += bytes.clone().length;
        }
        return length;
    }

    static void files(Path folder) throws Exception {
        Path file = folder.resolve("orders.txt");
        try (FileOutputStream out = new FileOutputStream(file.toString())) {
            out.write("one\n".getBytes());
            out.write("two\n".getBytes());
        }
        try (FileInputStream in = new FileInputStream(file.toString())) {
            byte[] bytes = new byte[3];
            while (in.read(bytes) >= 0) {
            }
        }
        Files.delete(file);
    }

    static void threads() throws Exception {
        Object lock = new Object();
        int[] turns = new int[1];
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            int rounds = i + 1;
            workers[i] = new Thread(() -> {
                for (int k = 0; k < rounds * 10; k++) {
                    synchronized (lock) {
                        turns[0] += fib(16);
                    }
                }
            }, "worker-" + i);
        }
        for (Thread worker : workers) {
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    public static void main(String[] args) throws Exception {
        Shop shop = new Shop();
        Item[] items = {new Item("tea", 10), new Item("cup", 25), new Item("pot", 40)};
        shop.stock.put("tea", 5);
        shop.stock.put("cup", 3);
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Order order = new Order(i, i % 2 == 0 ? "Ada" : "Bob");
            for (Item item : items) {
                shop.sell(order, item, i < 3 ? new Full() : new Reduced());
            }
            level(order.total);
            orders.add(order);
            shop.ask(QUERIES[i % 3], 3 + i);
            shop.ask(QUERIES[1], 2);
        }
        slowReport(orders);
        report(orders);
        collisions();
        parse(new String[] {"1", "x", "3", "y", "z"});
        sum(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        fib(10);
        copies();
        if (args.length > 0) {
            files(Path.of(args[0]));
        }
        threads();
        System.gc();
        System.out.println("done");
    }
}
