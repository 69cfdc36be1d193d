import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The program of docs/tutorial/slow-program.md with both faults mended: a map in place of a list, one pattern. */
public class Orders {
    record Order(String customer, String product, int quantity) {}

    static final class Customer {
        final String name;
        long quantity;

        Customer(String name) {
            this.name = name;
        }
    }

    public static void main(String[] args) {
        List<String> lines = lines(Integer.parseInt(args[0]));
        Map<String, Customer> byName = new HashMap<>();
        for (String line : lines) {
            Order order = parse(line);
            byName.computeIfAbsent(order.customer(), Customer::new).quantity += order.quantity();
        }
        List<Customer> customers = new ArrayList<>(byName.values());
        customers.sort(Comparator.comparingLong((Customer c) -> -c.quantity));
        for (Customer c : customers.subList(0, 3)) {
            System.out.println(c.name + " " + c.quantity);
        }
    }

    /** Lines of a file that the program makes itself, always the same ones. */
    static List<String> lines(int n) {
        List<String> lines = new ArrayList<>();
        int random = 1;
        for (int i = 0; i < n; i++) {
            random = random * 1103515245 + 12345;
            int number = random >>> 16;
            lines.add("customer-" + number % 997 + " ; product-" + number % 31 + " ; " + (1 + number % 9));
        }
        return lines;
    }

    static final Pattern SEPARATOR = Pattern.compile("\\s*;\\s*");

    static Order parse(String line) {
        String[] parts = SEPARATOR.split(line);
        return new Order(parts[0], parts[1], Integer.parseInt(parts[2]));
    }
}
