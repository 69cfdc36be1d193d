/** assert under -ea and -da by class: evaluated or not, with and without a message. */
public class Assertions {
    static int evaluated;

    static boolean check(boolean b) {
        evaluated++;
        return b;
    }

    static class On {
        static void run() {
            try {
                assert check(false) : "message " + evaluated;
                System.out.println("disabled");
            } catch (AssertionError e) {
                System.out.println(e + " " + e.getCause());
            }
        }
    }

    interface Asserting {
        static String test() {
            try {
                assert check(1 > 2);
                return "disabled";
            } catch (AssertionError e) {
                return "enabled " + e.getMessage();
            }
        }
    }

    public static void main(String[] args) {
        On.run();
        AssertionsOff.run();
        System.out.println(Asserting.test());
        try {
            assert check(true) : "not evaluated " + check(false);
            assert check(false) : new IllegalStateException("as cause");
        } catch (AssertionError e) {
            System.out.println(e.getMessage() + " / " + e.getCause());
        }
        for (Object detail : new Object[] {null, 'c', 1L, 2.5, true, new char[0].length}) {
            try {
                assert check(false) : detail;
            } catch (AssertionError e) {
                System.out.println(e);
            }
        }
        Runnable r = () -> { assert check(false) : "in lambda"; };
        try {
            r.run();
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(evaluated + " " + Assertions.class.desiredAssertionStatus() + " " + AssertionsOff.class.desiredAssertionStatus() + " " + String.class.desiredAssertionStatus());
    }
}

class AssertionsOff {
    static void run() {
        assert Assertions.check(false) : "never";
        Nested.run();
        System.out.println("off " + Assertions.evaluated);
    }

    static class Nested {
        static void run() {
            assert Assertions.check(false) : "an outer class decides";
        }
    }
}
