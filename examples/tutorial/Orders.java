import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The slow program of docs/tutorial/slow-program.md: adds up orders by customer. */
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
        List<Customer> customers = new ArrayList<>();
        for (String line : lines) {
            Order order = parse(line);
            customer(customers, order.customer()).quantity += order.quantity();
        }
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

    static Order parse(String line) {
        String[] parts = line.split("\\s*;\\s*");
        return new Order(parts[0], parts[1], Integer.parseInt(parts[2]));
    }

    static Customer customer(List<Customer> customers, String name) {
        for (Customer c : customers) {
            if (c.name.equals(name)) {
                return c;
            }
        }
        Customer c = new Customer(name);
        customers.add(c);
        return c;
    }
}
