/** Initialisation in cycles: a class being initialised by this thread is used as it is, with defaults. */
public class InitCycle {
    static class A { static int a = B.b + 1; static { System.out.println("A " + a + " " + B.b); } }
    static class B { static int b = A.a + 10; static { System.out.println("B " + b + " " + A.a); } }

    static class Parent {
        static int p = 5;
        static Child made = new Child();
        static { System.out.println("Parent " + p); }
        static int q = 6;
    }
    static class Child extends Parent {
        static int c = 7;
        static { System.out.println("Child " + c); }
        final int seen;
        Child() { seen = c * 100 + p * 10 + q; System.out.println("Child() " + seen); }
    }

    enum Level {
        LOW(1), HIGH(2);
        static int total;
        static final int CONST = 50;
        final int weight;
        Level(int w) { weight = w + CONST; }
        static { for (Level l : values()) total += l.weight; }
    }

    static class Singleton {
        static final Singleton INSTANCE = new Singleton();
        static int count = 0;
        static int kept;
        Singleton() { count++; kept++; }
    }

    static class Deep0 { static int v = Deep1.v + 1; }
    static class Deep1 { static int v = Deep2.v + 1; }
    static class Deep2 { static int v = Deep3.v + 1; }
    static class Deep3 { static int v = Deep0.v + 100; }

    static class Recursive {
        static int calls;
        static int value = fact(10);
        static int fact(int n) { calls++; return n == 0 ? 1 : n * fact(n - 1); }
    }

    interface I { int X = J.Y + 1; }
    interface J { int Y = Integer.parseInt("41") + (I.X == 0 ? 0 : 1000); }

    static int early = later();
    static int late = 3;
    static int later() { return late + 1; }

    static final Object FINAL;
    static boolean wasNull = peek() == null;
    static { FINAL = "assigned"; }
    static Object peek() { return FINAL; }

    public static void main(String[] args) {
        System.out.println(A.a + " " + B.b);
        System.out.println(Child.c + " " + Parent.made.seen);
        System.out.println(Level.total + " " + Level.HIGH.weight);
        System.out.println(Singleton.count + " " + Singleton.kept);
        System.out.println(Deep0.v + " " + Deep1.v + " " + Deep2.v + " " + Deep3.v);
        System.out.println(Recursive.value + " " + Recursive.calls);
        System.out.println(I.X + " " + J.Y);
        System.out.println(early + " " + late + " " + wasNull + " " + FINAL);
    }
}
