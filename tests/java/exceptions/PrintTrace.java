import java.io.PrintWriter;
import java.io.StringWriter;

/** printStackTrace: causes with frames in common, suppressed exceptions, circles, overridden toString. */
public class PrintTrace {
    static class Custom extends Exception {
        Custom(String m, Throwable cause) { super(m, cause); }
        @Override public String toString() { return "<custom " + getMessage() + ">"; }
    }

    static class Localized extends Exception {
        @Override public String getLocalizedMessage() { return "localized"; }
    }

    static class NoTrace extends Exception {
        NoTrace() { super("no trace", null, false, false); }
    }

    static class Unfilled extends Exception {
        @Override public synchronized Throwable fillInStackTrace() { return this; }
    }

    static void low(int n) throws Exception {
        if (n > 0) low(n - 1);
        else throw new Exception("low");
    }

    static void middle() throws Exception {
        try {
            low(2);
        } catch (Exception e) {
            throw new Custom("middle", e);
        }
    }

    static void high() {
        try {
            middle();
        } catch (Exception e) {
            RuntimeException r = new RuntimeException("high", e);
            try {
                Integer.valueOf(null + "");
            } catch (NumberFormatException x) {
                Exception s = new Exception("suppressed", new Error("its cause"));
                r.addSuppressed(s);
            }
            throw r;
        }
    }

    public static void main(String[] args) {
        try {
            high();
        } catch (RuntimeException e) {
            e.printStackTrace(System.out);
            StringWriter w = new StringWriter();
            e.printStackTrace(new PrintWriter(w, true));
            System.out.println(w.toString().split("\n").length);
            e.printStackTrace();
        }
        new Localized().printStackTrace(System.out);
        NoTrace n = new NoTrace();
        n.addSuppressed(new Error("dropped"));
        n.printStackTrace(System.out);
        System.out.println(n.getSuppressed().length + " " + n.getStackTrace().length);
        new Unfilled().printStackTrace(System.out);
        Exception a = new Exception("a"), b = new Exception("b", a);
        a.initCause(b);
        a.printStackTrace(System.out);
        Exception self = new Exception("self");
        try {
            self.initCause(self);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        }
        try {
            b.initCause(null);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Exception(new Error("inner")).getMessage() + " " + new Exception((Throwable) null).getMessage() + " " + new Exception("m", null).getCause());
        Throwable t = new Throwable();
        t.setStackTrace(new StackTraceElement[0]);
        t.printStackTrace(System.out);
        try {
            t.setStackTrace(new StackTraceElement[] {null});
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
