import java.lang.reflect.*;
import java.util.*;

/** Members of classes: names, modifiers, signatures, inheritance, generic types, toString of everything. */
public class Members {
    interface Face<T extends Comparable<T>> { int CONST = 1; T get(T[] ts, List<? super T> l) throws java.io.IOException; default void d() { } static void s() { } }
    static abstract class Base<K> implements Face<String> { protected K key; volatile transient int vt; abstract <X extends Number & Runnable> X gen(Map<K, ? extends X[]> m); public static final synchronized native void nat(); private void hidden() { } public void shared() { } }
    static final class Leaf extends Base<Integer> { public int pub = 1; Leaf(int a, String... more) { } private Leaf() { } <X extends Number & Runnable> X gen(Map<Integer, ? extends X[]> m) { return null; } public String get(String[] s, List<? super String> l) { return null; } @Override public void shared() { } strictfp double fp() { return 1; } }
    enum En { A, B { void m() { } } }
    record Rec<T>(int i, List<T> list) { }

    static <T> void sorted(String title, T[] all) {
        System.out.println(title);
        String[] lines = new String[all.length];
        for (int i = 0; i < all.length; i++) lines[i] = String.valueOf(all[i] instanceof Method m ? m.toGenericString() : all[i] instanceof Constructor<?> c ? c.toGenericString() : all[i] instanceof Field f ? f.toGenericString() : all[i]);
        Arrays.sort(lines);
        for (String l : lines) System.out.println("  " + l);
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> c : new Class<?>[] {Face.class, Base.class, Leaf.class, En.class, Rec.class}) {
            System.out.println(c.toGenericString() + " extends " + c.getGenericSuperclass() + " implements " + Arrays.toString(c.getGenericInterfaces()) + " " + Modifier.toString(c.getModifiers()));
            sorted("fields", c.getDeclaredFields());
            sorted("methods", c.getDeclaredMethods());
            sorted("constructors", c.getDeclaredConstructors());
        }
        List<String> names = new ArrayList<>();
        for (Method m : Leaf.class.getMethods()) if (m.getDeclaringClass() != Object.class) names.add(m.getName() + "/" + m.getDeclaringClass().getSimpleName() + (m.isBridge() ? "*" : ""));
        Collections.sort(names);
        System.out.println(names);
        Method get = Leaf.class.getMethod("get", String[].class, List.class);
        System.out.println(get + " " + get.getReturnType() + " " + Arrays.toString(get.getParameterTypes()) + Arrays.toString(get.getExceptionTypes()) + get.isVarArgs());
        Method gen = Base.class.getDeclaredMethod("gen", Map.class);
        TypeVariable<Method> x = gen.getTypeParameters()[0];
        ParameterizedType map = (ParameterizedType) gen.getGenericParameterTypes()[0];
        WildcardType w = (WildcardType) map.getActualTypeArguments()[1];
        System.out.println(x + Arrays.toString(x.getBounds()) + " " + map.getRawType() + " " + w.getUpperBounds()[0] + " " + (w.getUpperBounds()[0] instanceof GenericArrayType) + " " + gen.getGenericReturnType());
        System.out.println(Leaf.class.getDeclaredConstructor(int.class, String[].class).isVarArgs() + " " + get.equals(Leaf.class.getMethod("get", String[].class, List.class)) + " " + (get.hashCode() == Leaf.class.getMethod("get", String[].class, List.class).hashCode()));
        for (RecordComponent rc : Rec.class.getRecordComponents()) System.out.println(rc + " " + rc.getGenericType() + " " + rc.getAccessor());
        for (Parameter p : Leaf.class.getDeclaredConstructor(int.class, String[].class).getParameters()) System.out.println(p + " " + p.isNamePresent() + " " + p.isVarArgs());
        System.out.println(Arrays.toString(Members.class.getNestMembers().length > 5 ? new int[] {1} : new int[0]) + Leaf.class.getNestHost().getName() + Leaf.class.isNestmateOf(Base.class));
        System.out.println(Face.class.getField("CONST").getInt(null) + " " + Leaf.class.getField("CONST").getDeclaringClass().getSimpleName());
        for (String bad : new String[] {"key", "pub", "none"}) {
            try {
                System.out.println(Leaf.class.getField(bad));
            } catch (NoSuchFieldException e) {
                System.out.println(e);
            }
        }
        try {
            Leaf.class.getMethod("hidden");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
    }
}
