/** try-with-resources: closing order, suppressed exceptions, null resources, existing variables. */
public class Resources {
    static StringBuilder log = new StringBuilder();

    static class Res implements AutoCloseable {
        final String name;
        final boolean fails;
        Res(String name, boolean fails) {
            log.append("open ").append(name).append(' ');
            if (name.equals("bad")) throw new IllegalStateException("constructor");
            this.name = name;
            this.fails = fails;
        }
        @Override public void close() throws Exception {
            log.append("close ").append(name).append(' ');
            if (fails) throw new Exception("close " + name);
        }
    }

    static void show(Throwable t, String indent) {
        System.out.println(indent + t);
        for (Throwable s : t.getSuppressed()) show(s, indent + "  suppressed ");
        if (t.getCause() != null) show(t.getCause(), indent + "  cause ");
    }

    static String run(int mode) {
        try (Res a = new Res("a", mode == 1 || mode == 2 || mode == 6); Res b = mode == 3 ? null : new Res("b", mode == 2); Res c = new Res(mode == 4 ? "bad" : "c", mode == 5)) {
            log.append("body ");
            if (mode == 1 || mode == 2) throw new RuntimeException("body");
            if (mode == 6) return "returned";
        } catch (Exception e) {
            log.append("catch ");
            show(e, "");
            return "caught";
        } finally {
            log.append("finally ");
        }
        return "end";
    }

    static void existing(Res r) throws Exception {
        final Res other = new Res("other", false);
        try (r; other) {
            log.append("using ");
        }
    }

    public static void main(String[] args) throws Exception {
        for (int mode = 0; mode < 7; mode++) {
            String result = run(mode);
            System.out.println(mode + " " + result + ": " + log);
            log.setLength(0);
        }
        existing(new Res("given", false));
        System.out.println(log);
        Exception e = new Exception("main");
        e.addSuppressed(new Error("one"));
        e.addSuppressed(new Exception("two", new Error("nested")));
        show(e, "");
        try {
            e.addSuppressed(e);
        } catch (IllegalArgumentException x) {
            System.out.println(x.getMessage() + " " + (x.getCause() == e));
        }
        try {
            e.addSuppressed(null);
        } catch (NullPointerException x) {
            System.out.println(x.getMessage());
        }
    }
}
