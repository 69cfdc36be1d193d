import java.util.Map;

/** Class literals, names of all kinds of classes, modifiers, primitive classes. */
public class ClassNames {
    interface Face { }
    @interface Note { }
    enum Kind { A { } }
    record Rec() { }
    static class Nested { class Deep { } }
    static final int[][] FIELD = {};

    static void show(Class<?> c) {
        System.out.println(c + " | " + c.getName() + " | " + c.getSimpleName() + " | " + c.getTypeName() + " | " + c.getCanonicalName() + " | " + c.getPackageName() + " | " + c.descriptorString());
    }

    public static void main(String[] args) {
        Object anonymous = new Object() { };
        class Local { }
        Runnable[] runnables = {new Runnable() { public void run() { } }};
        Class<?>[] all = {int.class, void.class, boolean.class, long[].class, ClassNames.class, Face.class, Note.class, Kind.class, Kind.A.getClass(), Rec.class, Nested.Deep.class,
            Nested[][].class, anonymous.getClass(), Local.class, Local[].class, runnables[0].getClass(), String.class, Map.Entry.class, Object[].class, FIELD.getClass()};
        for (Class<?> c : all) show(c);
        StringBuilder flags = new StringBuilder();
        for (Class<?> c : all) {
            flags.append(c.isPrimitive() ? 'p' : '-').append(c.isInterface() ? 'i' : '-').append(c.isArray() ? 'a' : '-').append(c.isEnum() ? 'e' : '-').append(c.isRecord() ? 'r' : '-')
                .append(c.isAnnotation() ? '@' : '-').append(c.isAnonymousClass() ? 'n' : '-').append(c.isLocalClass() ? 'l' : '-').append(c.isMemberClass() ? 'm' : '-').append(' ').append(c.getModifiers()).append(' ');
        }
        System.out.println(flags);
        System.out.println((int.class == Integer.TYPE) + " " + (void.class == Void.TYPE) + " " + (int.class != (Object) Integer.class));
        System.out.println(Kind.A.getClass().getSuperclass() + " " + int[].class.getSuperclass() + " " + Face.class.getSuperclass() + " " + int.class.getSuperclass() + " " + Object.class.getSuperclass());
        for (Class<?> i : int[].class.getInterfaces()) System.out.print(i + " ");
        for (Class<?> i : Integer.class.getInterfaces()) System.out.print(i.getName() + " ");
        System.out.println();
        System.out.println(Nested.Deep.class.getDeclaringClass() + " " + anonymous.getClass().getEnclosingClass() + " " + Local.class.getEnclosingMethod());
        System.out.println(String.class.getModule() + " " + String.class.getClassLoader() + " " + ClassNames.class.getModule().isNamed() + " " + ClassNames.class.getPackage().getName().isEmpty());
        System.out.println(int.class.arrayType() + " " + int[][].class.componentType() + " " + String.class.arrayType().getName());
    }
}
