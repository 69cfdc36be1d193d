/** instanceof and checkcast over classes, interfaces, arrays and null; messages of ClassCastException. */
public class Casts {
    interface I { }
    interface J extends I { }
    static class A { }
    static class B extends A implements J { }
    static final class C extends B { }
    enum E implements I { X }

    static int code(Object o) {
        int r = 0;
        if (o instanceof I) r |= 1;
        if (o instanceof J) r |= 2;
        if (o instanceof A) r |= 4;
        if (o instanceof B) r |= 8;
        if (o instanceof C) r |= 16;
        if (o instanceof Object[]) r |= 32;
        if (o instanceof I[]) r |= 64;
        if (o instanceof A[]) r |= 128;
        if (o instanceof Object[][]) r |= 256;
        if (o instanceof int[]) r |= 512;
        if (o instanceof Cloneable) r |= 1024;
        if (o instanceof java.io.Serializable) r |= 2048;
        if (o instanceof Comparable) r |= 4096;
        if (o instanceof Cloneable[]) r |= 8192;
        if (o instanceof Number) r |= 16384;
        return r;
    }

    static void attempt(int which, Object o) {
        try {
            Object r = switch (which) {
                case 0 -> (I) o;
                case 1 -> (C) o;
                case 2 -> (A[]) o;
                case 3 -> (int[]) o;
                case 4 -> (String) o;
                case 5 -> (Integer) o;
                case 6 -> (I[][]) o;
                case 7 -> (Runnable) o;
                default -> (E) o;
            };
            System.out.println(which + " ok");
        } catch (ClassCastException e) {
            System.out.println(which + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        Object[] all = {null, new Object(), new A(), new B(), new C(), E.X, new Object[0], new A[0], new B[0][0], new C[0], new int[0], new int[0][0], new I[0], new Cloneable[0], "s", 5, 5.5, new J() { }};
        for (Object o : all) System.out.print(code(o) + " ");
        System.out.println();
        for (int which = 0; which < 9; which++) {
            attempt(which, null);
            attempt(which, new A());
            attempt(which, new C());
            attempt(which, new B[1][1]);
            attempt(which, "text");
            attempt(which, new int[][] {{1}});
            attempt(which, new C[0]);
        }
        A[] as = new B[] {new C()};
        I i = (I) as[0];
        J j = (C) (Object) i;
        System.out.println((j == as[0]) + " " + (as instanceof I[]) + " " + ((Object) as instanceof C[]));
        System.out.println(String.class.isInstance("x") + " " + Object.class.isInstance(null) + " " + I.class.isAssignableFrom(C.class) + " " + A[].class.isAssignableFrom(C[].class) + " " + Object.class.isAssignableFrom(int.class) + " " + long.class.isAssignableFrom(int.class));
        try {
            C.class.cast(new B());
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
