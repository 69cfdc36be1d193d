import java.io.*;
import java.util.*;
import java.util.logging.*;

/** java.util.logging: levels, handlers, formatters, hierarchy, filters, parameters; the default handler is silenced. */
public class Logging {
    public static void main(String[] args) throws Exception {
        List<String> seen = new ArrayList<>();
        Logger root = Logger.getLogger("");
        for (Handler h : root.getHandlers()) root.removeHandler(h);
        Handler collect = new Handler() {
            public void publish(LogRecord r) { if (isLoggable(r)) seen.add(r.getLevel() + " " + r.getLoggerName() + " " + new SimpleFormatter().formatMessage(r) + (r.getThrown() == null ? "" : " " + r.getThrown().getMessage())); }
            public void flush() { seen.add("flush"); }
            public void close() { seen.add("close"); }
        };
        collect.setLevel(Level.ALL);
        Logger a = Logger.getLogger("a"), ab = Logger.getLogger("a.b");
        a.addHandler(collect);
        a.setLevel(Level.WARNING);
        System.out.println((ab.getParent() == a) + " " + (a.getParent() == root) + " " + ab.getLevel() + " " + ab.isLoggable(Level.INFO) + ab.isLoggable(Level.SEVERE) + " " + (Logger.getLogger("a.b") == ab) + " " + root.getLevel());
        a.info("hidden");
        a.warning("shown");
        ab.severe("from child");
        ab.setLevel(Level.FINE);
        ab.fine("fine child");
        ab.finer("hidden");
        ab.log(Level.INFO, "params {0} and {1}", new Object[] {1, "two"});
        ab.log(Level.WARNING, "thrown", new IOException("disk"));
        int[] computed = new int[1];
        ab.finest(() -> "never " + computed[0]++);
        ab.fine(() -> "supplied " + computed[0]++);
        ab.setFilter(r -> !r.getMessage().contains("secret"));
        ab.info("a secret");
        ab.setUseParentHandlers(false);
        ab.severe("no handler");
        ab.setUseParentHandlers(true);
        ab.setFilter(null);
        ab.entering("Cls", "meth", "arg");
        ab.setLevel(Level.ALL);
        ab.exiting("Cls", "meth", 5);
        ab.throwing("Cls", "meth", new Error("err"));
        ab.logp(Level.INFO, "C", "m", "logp");
        collect.flush();
        collect.close();
        for (String s : seen) System.out.println(s);
        System.out.println(computed[0] + " " + Level.parse("800") + " " + Level.parse("CONFIG").intValue() + " " + Level.OFF.intValue());
        try { Level.parse("NONE"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StreamHandler sh = new StreamHandler(out, new java.util.logging.Formatter() {
            public String format(LogRecord r) { return r.getLevel() + "|" + r.getSourceMethodName() + "|" + formatMessage(r) + "\n"; }
            @Override public String getHead(Handler h) { return "head\n"; }
            @Override public String getTail(Handler h) { return "tail\n"; }
        });
        Logger anon = Logger.getAnonymousLogger();
        anon.addHandler(sh);
        anon.info("inferred caller");
        sh.close();
        System.out.print(out);
        MemoryHandler mem = new MemoryHandler(collect, 2, Level.SEVERE);
        seen.clear();
        anon.removeHandler(sh);
        anon.addHandler(mem);
        anon.info("1");
        anon.info("2");
        anon.info("3");
        anon.severe("push");
        System.out.println(seen);
        XMLFormatter xml = new XMLFormatter();
        LogRecord r = new LogRecord(Level.INFO, "<&>");
        r.setLoggerName("x");
        System.out.println(xml.format(r).contains("<message>&lt;&amp;&gt;</message>") + " " + (r.getSequenceNumber() > 0) + " " + LogManager.getLogManager().getLogger("a").getName());
    }
}
