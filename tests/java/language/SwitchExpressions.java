/** switch as an expression: arrows, yield, exhaustive enums, operands on the stack, try inside. */
public class SwitchExpressions {
    enum Op { ADD, SUB, MUL, DIV, NOP }

    static int apply(Op op, int a, int b) {
        return switch (op) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> {
                try {
                    yield a / b;
                } catch (ArithmeticException e) {
                    yield Integer.MAX_VALUE;
                } finally {
                    System.out.print("");
                }
            }
            case NOP -> 0;
        };
    }

    static String day(int d) {
        return switch (d) {
            case 1, 7 -> "weekend";
            case 2, 3, 4, 5, 6 -> {
                String s = "week";
                for (int i = 0; i < d; i++) s += '.';
                yield s;
            }
            default -> throw new IllegalArgumentException("day " + d);
        };
    }

    static int old(String s) {
        return switch (s) {
            case "one":
                yield 1;
            case "two":
                System.out.print("(two)");
            case "three":
                yield 3;
            default:
                yield s.length();
        };
    }

    static double mixed(int i) {
        return switch (i) { case 0 -> 1; case 1 -> 2.5f; case 2 -> 'c'; default -> 10L; };
    }

    static Object boxes(int i) {
        return switch (i) { case 0 -> 1; case 1 -> "s"; default -> 2.0 > 1; };
    }

    public static void main(String[] args) {
        for (Op op : Op.values()) System.out.print(apply(op, 17, 5) + " " + apply(op, 3, 0) + "; ");
        System.out.println();
        for (int d = 0; d < 9; d++) {
            try {
                System.out.println(day(d));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(old("one") + old("two") * 10 + old("three") * 100 + old("seven") * 1000);
        for (int i = 0; i < 4; i++) System.out.print((int) (mixed(i) * 2) + " ");
        System.out.println(boxes(0) + " " + boxes(1) + " " + boxes(2));
        int x = 4;
        int r = x * 100 + switch (x) { case 4 -> { try { x++; yield x / 0; } catch (ArithmeticException e) { yield 44; } } default -> 0; } + x;
        System.out.println(r);
        System.out.println(1 + switch (x) { case 5 -> switch (r % 3) { case 0 -> 10; case 1 -> 20; default -> 30; }; default -> 0; });
        Op none = null;
        try {
            apply(none, 1, 2);
        } catch (NullPointerException e) {
            System.out.println("null switch");
        }
        switch (x) {
            case 5 -> System.out.println("no fall-through");
            case 6 -> System.out.println("not reached");
            default -> { }
        }
    }
}
