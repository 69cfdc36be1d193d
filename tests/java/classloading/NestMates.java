import java.lang.reflect.*;
import java.util.*;

/** Private access among nest mates without accessors, sealed classes and records as the VM sees them, permitted subclasses enforced. */
public class NestMates {
    private int x = 1;
    private static int s = 2;
    private int get() { return x; }
    private NestMates() { }
    private NestMates(int x) { this.x = x; }

    static class Inner {
        private int y = 10;
        private static String name() { return "inner"; }
        int sum(NestMates n) { return n.x + n.get() + s + y; }
        static class Deeper { private int z = new NestMates(5).x + new Inner().y; int up() { return new NestMates().get() + z; } }
    }
    interface I { private int p() { return 77; } static int call(I i) { return i.p(); } }
    sealed interface Shape permits Circle, Square { }
    record Circle(int r) implements Shape { }
    static non-sealed class Square implements Shape { private final int side = 4; }
    static class SubSquare extends Square { }
    private static class Base { private String who() { return "base"; } String call() { return this.who(); } }
    private static class Sub extends Base { private String who() { return "sub"; } }

    public static void main(String[] args) throws Exception {
        System.out.println(new Inner().sum(new NestMates()) + " " + new Inner.Deeper().up() + " " + Inner.name() + " " + I.call(new I() { }) + " " + new Sub().call() + " " + new Sub().who() + " " + ((Base) new Sub()).who());
        for (Class<?> c : new Class<?>[] {NestMates.class, Inner.class, Inner.Deeper.class, Outside.class, int.class, int[].class, String.class, Inner[].class}) System.out.println(c.getSimpleName() + " host " + c.getNestHost().getSimpleName() + " mate " + c.isNestmateOf(NestMates.class));
        List<String> members = new ArrayList<>();
        for (Class<?> c : NestMates.class.getNestMembers()) members.add(c.getSimpleName());
        Collections.sort(members);
        System.out.println(members);
        Field f = Inner.class.getDeclaredField("y");
        System.out.println(f.getInt(new Inner()) + " " + Modifier.isPrivate(f.getModifiers()) + " " + NestMates.class.getDeclaredConstructor(int.class).newInstance(9).x);
        int synthetic = 0;
        for (Method m : NestMates.class.getDeclaredMethods()) if (m.isSynthetic()) synthetic++;
        System.out.println(synthetic);
        try {
            Outside.peek(new NestMates());
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Shape.class.isSealed() + " " + Arrays.toString(Shape.class.getPermittedSubclasses()) + " " + Square.class.isSealed() + " " + Circle.class.isSealed() + " " + (new SubSquare() instanceof Shape) + " " + Square.class.getPermittedSubclasses());
        byte[] b;
        try (java.io.InputStream in = NestMates.class.getResourceAsStream("NestMates$Circle.class")) { b = in.readAllBytes(); }
        String changed = new String(b, "ISO-8859-1").replace("NestMates$Circle", "NestMates$Kircle");
        ClassLoader l = new ClassLoader(NestMates.class.getClassLoader()) {
            @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
                byte[] k = changed.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
                return defineClass(n, k, 0, k.length);
            }
        };
        try {
            l.loadClass("NestMates$Kircle");
            System.out.println("not enforced");
        } catch (IncompatibleClassChangeError e) {
            System.out.println(e.getClass().getSimpleName());
        }
        Circle c = new Circle(3);
        RecordComponent rc = Circle.class.getRecordComponents()[0];
        System.out.println(rc.getAccessor().invoke(c) + " " + rc.getType() + " " + c.equals(new Circle(3)) + " " + Circle.class.getDeclaredFields()[0].getModifiers());
        Field r = Circle.class.getDeclaredField("r");
        r.setAccessible(true);
        try {
            r.setInt(c, 5);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
    }
}

class Outside {
    static void peek(NestMates n) throws IllegalAccessException {
        for (Field f : NestMates.class.getDeclaredFields()) if (f.getName().equals("x")) System.out.println(f.getInt(n));
    }
}
