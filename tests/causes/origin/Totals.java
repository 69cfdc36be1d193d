/** The total is wrong, and is printed far from where it becomes so: a discount is subtracted twice. */
public class Totals {
    static class Order {
        final int[] prices;
        int discount;
        int total;

        Order(int[] prices, int discount) {
            this.prices = prices;
            this.discount = discount;
        }

        void sum() {
            int sum = 0;
            for (int price : prices) {
                sum += price;
            }
            total = sum - discount;
        }

        void close(boolean member) {
            sum();
            if (member) {
                total = total - discount;
            }
        }
    }

    static int report(Order[] orders) {
        int all = 0;
        for (Order order : orders) {
            all += order.total;
        }
        return all;
    }

    public static void main(String[] args) {
        Order[] orders = new Order[20];
        for (int i = 0; i < orders.length; i++) {
            orders[i] = new Order(new int[] {10 + i, 20}, 5);
        }
        for (int i = 0; i < orders.length; i++) {
            orders[i].close(i == 13);
        }
        int all = report(orders);
        if (orders[13].total != 38) {
            throw new IllegalStateException("total of order 13 is " + orders[13].total + " of " + all);
        }
    }
}
