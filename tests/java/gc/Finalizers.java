import java.util.*;
import java.util.concurrent.*;

/** finalize: run once per object, may resurrect it, exceptions are ignored, graphs stay readable. */
@SuppressWarnings({"deprecation", "removal"})
public class Finalizers {
    static final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    static Object saved;

    static class Plain {
        final String name;
        Plain(String n) { name = n; }
        @Override protected void finalize() { log.add("plain " + name); }
    }

    static class Phoenix {
        int lives;
        final int[] data = {1, 2, 3};
        @Override protected void finalize() { lives++; saved = this; log.add("phoenix " + lives + " " + data[2]); }
    }

    static class Throws { @Override protected void finalize() { log.add("throwing"); throw new IllegalStateException("ignored"); } }

    static class Parent { @Override protected void finalize() throws Throwable { log.add("parent"); } }
    static class Child extends Parent { @Override protected void finalize() throws Throwable { log.add("child"); super.finalize(); } }

    static class Holder {
        final Plain[] held = {new Plain("held")};
        @Override protected void finalize() { log.add("holder of " + held[0].name); }
    }

    static class BadCtor {
        BadCtor() { throw new RuntimeException("constructor"); }
        @Override protected void finalize() { log.add("constructor failed, finalized all the same"); }
    }

    static class EmptyFinalize { @Override protected void finalize() { } }

    static String next() throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            System.gc();
            String s = log.poll(10, TimeUnit.MILLISECONDS);
            if (s != null) return s;
        }
        return "nothing";
    }

    static void make(int kind) {
        switch (kind) {
            case 0: new Plain("p"); break;
            case 1: new Phoenix(); break;
            case 2: new Throws(); break;
            case 3: new Child(); break;
            case 4: new Holder(); break;
            case 5: try { new BadCtor(); } catch (RuntimeException e) { System.out.println("caught " + e.getMessage()); } break;
            default: for (int i = 0; i < 1000; i++) new EmptyFinalize();
        }
    }

    public static void main(String[] args) throws Exception {
        make(0);
        System.out.println(next());
        make(1);
        System.out.println(next() + " " + ((Phoenix) saved).lives);
        saved = null;
        make(2);
        System.out.println(next());
        make(3);
        System.out.println(next() + " " + next());
        make(4);
        Set<String> both = new TreeSet<>(List.of(next(), next()));
        System.out.println(both);
        make(5);
        System.out.println(next());
        make(6);
        Set<String> many = new TreeSet<>();
        for (int i = 0; i < 50; i++) new Plain("" + i % 10);
        for (int i = 0; i < 50; i++) many.add(next());
        System.out.println(many);
        Plain kept = new Plain("kept");
        System.gc();
        System.runFinalization();
        System.out.println(log.size() + " " + kept.name + " " + (saved == null));
    }
}
