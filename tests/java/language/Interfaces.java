/** Interfaces: default, static and private methods, diamonds, class wins, super of an interface, Object's methods. */
public class Interfaces {
    interface Named {
        String NAME = "constant";
        default String name() { return "Named"; }
        static String of(Named n) { return "<" + n.name() + ">"; }
    }
    interface Loud extends Named {
        default String name() { return helper() + "!"; }
        private String helper() { return "Loud" + level(); }
        private static int level() { return 11; }
    }
    interface Quiet extends Named { default String name() { return "quiet"; } }
    interface Both extends Loud, Quiet { default String name() { return Loud.super.name() + "+" + Quiet.super.name(); } }
    interface Plain extends Named { }
    static class Impl implements Loud { }
    static class Two implements Loud, Plain { }
    static class Diamond implements Both { }
    static class Own implements Loud { public String name() { return "own " + Loud.super.name(); } }
    static class Parent { public String name() { return "parent"; } }
    static class Wins extends Parent implements Named { }
    static abstract class Abstracted implements Loud { public abstract String name(); }
    static class Concrete extends Abstracted { public String name() { return "concrete"; } }
    interface Shape { int area(); default int twice() { return area() * 2; } }
    interface Bigger extends Shape { default int twice() { return area() * 2 + 1; } }
    static class Sq implements Shape { int s; Sq(int s) { this.s = s; } public int area() { return s * s; } }
    static class Rect implements Bigger { public int area() { return 6; } }
    static class Late extends Sq implements Bigger { Late() { super(4); } }
    interface Generic<T> { T get(); default String text() { return "g" + get(); } }
    interface Texts extends Generic<String> { String get(); }
    interface Equal { boolean equals(Object o); String toString(); }

    public static void main(String[] args) {
        Named[] all = {new Impl(), new Two(), new Diamond(), new Own(), new Wins(), new Concrete(), new Named() { }, new Plain() { public String name() { return "anonymous " + Plain.super.name(); } }};
        for (Named n : all) System.out.println(Named.of(n) + " " + (n instanceof Loud) + " " + (n instanceof Quiet));
        Shape[] shapes = {new Sq(3), new Rect(), new Late(), () -> 5};
        int sum = 0;
        for (int i = 0; i < 100; i++) sum += shapes[i & 3].twice() * i;
        System.out.println(sum);
        Texts t = () -> "text";
        Generic<Integer> g = () -> 7;
        System.out.println(t.text() + " " + g.text() + " " + t.get().length());
        Equal e = new Equal() { public String toString() { return "equal"; } };
        System.out.println(e + " " + e.equals(e) + " " + e.equals(all));
        System.out.println(e.hashCode() == e.hashCode());
        System.out.println(Named.NAME + Loud.NAME + Impl.NAME);
        Object o = all[2];
        System.out.println(((Quiet) o).name());
        try {
            System.out.println(((Shape) o).area());
        } catch (ClassCastException x) {
            System.out.println(x.getMessage());
        }
    }
}
