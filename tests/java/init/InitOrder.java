/** When classes are initialised: first use by new, static call, static field; not by constants, arrays, literals, casts. */
public class InitOrder {
    static void log(String s) { System.out.println(s); }
    static int v(String s, int v) { log(s); return v; }

    static class Super { static { log("Super"); } static int inherited = v("Super.inherited", 1); static void call() { log("Super.call"); } }
    static class Sub extends Super { static { log("Sub"); } static int own = v("Sub.own", 2); static final int CONSTANT = 3; static final String TEXT = "text"; static final Integer BOXED = v("Sub.BOXED", 4); }
    static class ByNew { static { log("ByNew"); } { log("new ByNew"); } }
    static class ByCall { static { log("ByCall"); } static void call() { log("call"); } }
    static class ByPut { static { log("ByPut"); } static int x; }
    static class NotUsed { static { log("NotUsed: wrong"); } static final long L = 1L << 40; }
    static class ByReflection { static { log("ByReflection"); } }
    interface Face { int F = v("Face.F", 5); void m(); }
    interface Default { int D = v("Default.D", 6); default void d() { } }
    interface Child extends Default { int C = v("Child.C", 7); }
    static class Impl implements Face { static { log("Impl"); } public void m() { } }
    static class WithDefault implements Child { static { log("WithDefault"); } }
    enum E { A, B; static { log("E " + A.ordinal()); } E() { log("E()"); } }
    static class Args { static { log("Args"); } Args(int a) { log("Args(" + a + ")"); } }
    static class Holder { static { log("Holder"); } static final Holder ONE = new Holder(); int n = later; static int later = 9; }

    static int fails() { throw new IllegalStateException(); }

    public static void main(String[] args) throws Exception {
        log("main");
        log("" + Sub.CONSTANT + Sub.TEXT + NotUsed.L);
        Sub[] array = new Sub[2];
        Class<?> c = NotUsed.class;
        Object o = array;
        log("" + (o instanceof NotUsed) + (o instanceof Sub[]));
        Class.forName("InitOrder$NotUsed", false, InitOrder.class.getClassLoader());
        log("inherited " + Sub.inherited);
        Sub.call();
        log("own " + Sub.own + Sub.BOXED);
        new ByNew();
        new ByNew();
        ByCall.call();
        ByPut.x = v("value first", 1);
        Class.forName("InitOrder$ByReflection");
        new Impl().m();
        log("face " + Impl.F);
        new WithDefault();
        log("child " + Child.C);
        log(E.B.name());
        new Args(v("argument", 8));
        log("" + Holder.ONE.n + Holder.later);
        try {
            ByPut.x = fails();
        } catch (IllegalStateException e) {
            log("not stored " + ByPut.x);
        }
        NotUsed[][] none = new NotUsed[1][1];
        log("end " + none.length);
    }
}
