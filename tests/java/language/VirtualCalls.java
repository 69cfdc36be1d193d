/** Virtual dispatch: overriding, private and static methods don't, super calls, package-private, megamorphic sites. */
public class VirtualCalls {
    static class A {
        String name() { return "A"; }
        private String secret() { return "A.secret"; }
        static String stat() { return "A.stat"; }
        String callSecret() { return secret(); }
        String twice() { return name() + name(); }
        final String fixed() { return "fixed " + name(); }
        String field = "A.field";
        A self() { return this; }
        int add(int x) { return x + 1; }
    }

    static class B extends A {
        String name() { return "B" + super.name(); }
        String secret() { return "B.secret"; }
        static String stat() { return "B.stat"; }
        String field = "B.field";
        B self() { return this; }
        int add(int x) { return super.add(x) * 2; }
    }

    static class C extends B {
        String name() { return "C" + super.name(); }
        String superTwice() { return super.twice(); }
        String fields() { return field + " " + super.field + " " + ((A) this).field; }
        int add(int x) { return super.add(x) * 3; }
    }

    static class D extends A { int add(int x) { return x - 5; } }
    static class E extends A { int add(int x) { return x ^ 21; } }

    static abstract class Base {
        Base() { init(); }
        abstract void init();
    }

    static class Derived extends Base {
        int value = 5;
        int seen;
        String late;
        void init() { seen = value + 100; late = "set early"; value = 9; }
    }

    public static void main(String[] args) {
        A[] all = {new A(), new B(), new C(), new D(), new E()};
        for (A a : all) System.out.println(a.name() + " " + a.callSecret() + " " + a.twice() + " " + a.fixed() + " " + a.field + " " + (a.self() == a));
        System.out.println(A.stat() + " " + B.stat() + " " + C.stat());
        C c = new C();
        System.out.println(c.superTwice() + " " + c.fields() + " " + ((B) c).field + " " + new B().secret());
        int x = 1;
        for (int i = 0; i < 1000; i++) x = all[i * 7 % 5].add(x) & 0xffff;
        System.out.println(x);
        Derived d = new Derived();
        System.out.println(d.value + " " + d.seen + " " + d.late);
        A anonymous = new A() {
            int calls;
            String name() { return "anon" + ++calls; }
        };
        System.out.println(anonymous.twice() + " " + anonymous.fixed());
        Object o = all[2];
        System.out.println(o.equals(all[2]) + " " + (o.getClass() == C.class) + " " + o.getClass().getName() + " " + o.getClass().getSuperclass().getName());
        A none = null;
        try {
            none.name();
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
        System.out.println(none.stat());
    }
}
