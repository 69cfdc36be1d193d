import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Which signals a program may handle, whose handlers stand there before, and whether raised ones come.
 */
public class Signals {
    static String name(SignalHandler h) {
        return h == SignalHandler.SIG_DFL ? "default" : h == SignalHandler.SIG_IGN ? "ignored" : "another";
    }

    static String of(String name, boolean comes) throws InterruptedException {
        Signal s = new Signal(name);
        int[] got = new int[1];
        SignalHandler mine = x -> {
            synchronized (got) {
                got[0] += x.getNumber();
                got.notify();
            }
        };
        SignalHandler old;
        try {
            old = Signal.handle(s, mine);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        StringBuilder b = new StringBuilder("before ").append(name(old));
        Signal.raise(s);
        synchronized (got) {
            if (got[0] == 0) got.wait(comes ? 10_000 : 50);
            b.append(", raised ").append(got[0] == s.getNumber());
        }
        b.append(", mine ").append(Signal.handle(s, SignalHandler.SIG_IGN) == mine);
        try {
            Signal.raise(s);
            b.append(", raised while ignored");
        } catch (IllegalArgumentException e) {
            b.append(", ").append(e.getMessage());
        }
        return b.append(", ignored ").append(Signal.handle(s, old) == SignalHandler.SIG_IGN).toString();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 1; i < args.length; i++) System.out.println(args[i] + ": " + of(args[i], args[0].equals("come")));
        try {
            new Signal("NONE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
