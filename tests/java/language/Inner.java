/** Inner classes: access to the outer instance, its private members, several levels, qualified new and this. */
public class Inner {
    private int x = 1;
    private static int created;
    private int bump(int by) { return x += by; }

    class Level1 {
        private int x = 2;
        { created++; }

        class Level2 {
            int x = 3;

            String all() { return x + " " + Level1.this.x + " " + Inner.this.x + " " + (Inner.this.x = 10 + x) + " " + bump(5); }
            void poke() { Level1.this.x++; Inner.this.x--; created += 100; }
        }

        Level2 make() { return new Level2(); }
    }

    static class Nested {
        private final int secret;
        private Nested(int s) { secret = s; }
        static Nested of(int s) { return new Nested(s); }
    }

    class Child extends Level1 {
        int sum() { return super.x + Inner.this.x; }
    }

    static class Foreign extends Inner.Level1 {
        Foreign(Inner outer) { outer.super(); }
        int outerX() { return make().x; }
    }

    interface Visitor { void visit(int v); }

    void walk(Visitor v) { for (int i = 0; i < 3; i++) v.visit(i + x); }

    public static void main(String[] args) {
        Inner o = new Inner();
        Level1 one = o.new Level1();
        Level1.Level2 two = one.new Level2();
        System.out.println(two.all());
        two.poke();
        System.out.println(one.x + " " + o.x + " " + created);
        Child child = o.new Child();
        System.out.println(child.sum() + " " + child.make().all());
        System.out.println(Nested.of(42).secret + " " + new Nested(7).secret);
        System.out.println(new Foreign(o).outerX() + " " + created);
        int[] total = {0};
        int base = 1000;
        o.walk(new Visitor() {
            int calls;
            public void visit(int v) { total[0] += v + base + ++calls; }
        });
        System.out.println(total[0]);
        class Local {
            final String text;
            Local(String t) { text = t + base; }
            Local next() { return new Local(text); }
        }
        System.out.println(new Local("l").next().text);
        try {
            Inner none = null;
            none.new Level1();
        } catch (NullPointerException e) {
            System.out.println("null outer " + created);
        }
        System.out.println(two.getClass().getName() + " " + new Local("").getClass().getName() + " " + new Object() { }.getClass().getName());
        System.out.println(two.getClass().getSimpleName() + " " + two.getClass().getDeclaringClass().getSimpleName() + " " + Local.class.getEnclosingMethod().getName());
        var anonymous = new Object() { int hidden = 5; int twice() { return hidden * 2; } };
        anonymous.hidden += 1;
        System.out.println(anonymous.twice());
    }
}
