import java.util.concurrent.ConcurrentHashMap;

/** Money is moved between accounts by several threads, and sometimes some of it is lost. */
public class Bank {
    static final ConcurrentHashMap<String, Integer> accounts = new ConcurrentHashMap<>();

    static void move(String from, String to, int amount) {
        accounts.merge(from, -amount, Integer::sum);
        // the map is safe, and this is not: another thread may change the account in between
        accounts.put(to, accounts.get(to) + amount);
    }

    public static void main(String[] args) throws Exception {
        accounts.put("a", 100);
        accounts.put("b", 100);
        accounts.put("c", 100);
        Thread[] threads = {
            new Thread(() -> move("a", "b", 10), "first"),
            new Thread(() -> move("b", "c", 20), "second"),
            new Thread(() -> move("c", "a", 30), "third"),
        };
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        int sum = 0;
        for (int amount : accounts.values()) sum += amount;
        System.out.println(sum);
        if (sum != 300) throw new IllegalStateException(sum + " is left of 300");
    }
}
