/** try, catch, finally: which handler runs, in which order, what finally overrides. */
public class TryCatch {
    static class A extends RuntimeException { A(String m) { super(m); } }
    static class B extends A { B(String m) { super(m); } }

    static StringBuilder log = new StringBuilder();
    static void log(String s) { log.append(s).append(' '); }
    static void flush(Object result) { System.out.println(log + "-> " + result); log.setLength(0); }

    static int handlers(int mode) {
        try {
            log("try");
            if (mode == 1) throw new A("a");
            if (mode == 2) throw new B("b");
            if (mode == 3) throw new IllegalStateException("ise");
            if (mode == 4) throw new Error("error");
            if (mode == 5) return 5;
            log("end");
        } catch (B e) {
            log("B");
            return 2;
        } catch (A | IllegalStateException e) {
            log(e.getMessage());
        } finally {
            log("finally");
            if (mode == 4) return -4;
        }
        return 0;
    }

    @SuppressWarnings("finally")
    static int overriding(int mode) {
        int x = 1;
        try {
            x = 2;
            if (mode == 0) return x;
            if (mode == 1) throw new A("lost");
            if (mode == 2) return x / (x - 2);
            return x++;
        } catch (ArithmeticException e) {
            log("arith");
            return x = 20;
        } finally {
            x = 30;
            log("x=" + x);
            if (mode == 1) return x;
        }
    }

    static String nested(int mode) {
        try {
            try {
                try {
                    log("1");
                    if (mode == 0) throw new B("inner");
                    if (mode == 1) return "inner return";
                } finally {
                    log("f1");
                    if (mode == 1) throw new A("from f1");
                }
            } catch (B e) {
                log("caught " + e.getMessage());
                throw new A("again");
            } finally {
                log("f2");
            }
        } catch (A e) {
            log("outer " + e.getMessage());
            return "A " + e.getMessage();
        } finally {
            log("f3");
        }
        return "end";
    }

    static int loop() {
        int sum = 0;
        for (int i = 0; i < 6; i++) {
            try {
                if (i == 1) continue;
                if (i == 4) break;
                if (i == 2) throw new A("two");
                sum += i;
            } catch (A e) {
                sum += 100;
                continue;
            } finally {
                sum += 1000;
            }
            sum += 10000;
        }
        return sum;
    }

    static void deep(int n) {
        try {
            if (n == 0) throw new B("deep");
            deep(n - 1);
        } finally {
            log("" + n);
        }
    }

    public static void main(String[] args) {
        for (int m = 0; m < 6; m++) flush(handlers(m));
        for (int m = 0; m < 4; m++) flush(overriding(m));
        for (int m = 0; m < 3; m++) flush(nested(m));
        flush(loop());
        try {
            deep(5);
        } catch (B e) {
            flush(e.getMessage());
        }
        int k = 0;
        try {
            k = 1;
            k = Integer.parseInt("x");
        } catch (NumberFormatException e) {
            k += 10;
        }
        flush(k);
    }
}
