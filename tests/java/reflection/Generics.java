import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

/** Generic signatures read back: super types, type tokens, bounds, inner classes of parameterized classes, erasure. */
public class Generics {
    static abstract class Token<T> { final Type type = ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments()[0]; }
    static class Outer<A> { class In<B extends A> { A a; B b; Outer<A>.In<B> self; List<A>[] lists; } static class Nest<C> { } }
    interface Visitor<R, E extends Exception> { <T extends List<? super R> & Cloneable> R visit(T t, Class<? extends Enum<?>> c) throws E; }
    static class Rec<T extends Rec<T>> implements Comparable<T> { public int compareTo(T t) { return 0; } }
    List<Map<String, int[]>> field;
    Function<? super Integer, ?> fn;
    static <T, U extends Map<T, U[]>> U[] complex(T t, U... us) { return us; }

    static String describe(Type t) {
        if (t instanceof Class<?> c) return "class " + c.getSimpleName();
        if (t instanceof ParameterizedType p) {
            StringBuilder s = new StringBuilder("param " + describe(p.getRawType()) + "<");
            for (Type a : p.getActualTypeArguments()) s.append(describe(a)).append(',');
            return s + ">" + (p.getOwnerType() == null ? "" : " in " + describe(p.getOwnerType()));
        }
        if (t instanceof GenericArrayType g) return "array of " + describe(g.getGenericComponentType());
        if (t instanceof TypeVariable<?> v) return "var " + v.getName() + " of " + (v.getGenericDeclaration() instanceof Class<?> c ? c.getSimpleName() : ((Method) v.getGenericDeclaration()).getName());
        WildcardType w = (WildcardType) t;
        return "? extends " + describe(w.getUpperBounds()[0]) + (w.getLowerBounds().length > 0 ? " super " + describe(w.getLowerBounds()[0]) : "");
    }

    public static void main(String[] args) throws Exception {
        System.out.println(describe(new Token<List<? extends Number[]>>() { }.type));
        System.out.println(describe(new Token<Map.Entry<String, Outer<Integer>.In<Integer>>>() { }.type));
        System.out.println(describe(new Token<int[][]>() { }.type) + " " + new Token<Outer.Nest<String>>() { }.type);
        for (Field f : new TreeMap<>(Map.of("a", Outer.In.class.getDeclaredField("a"), "b", Outer.In.class.getDeclaredField("b"), "c", Outer.In.class.getDeclaredField("self"), "d", Outer.In.class.getDeclaredField("lists"), "e", Generics.class.getDeclaredField("field"), "f", Generics.class.getDeclaredField("fn"))).values()) System.out.println(f.getName() + " " + describe(f.getGenericType()) + " | " + f.getGenericType() + " | " + f.getType());
        Method visit = Visitor.class.getDeclaredMethods()[0];
        System.out.println(visit.toGenericString());
        System.out.println(visit);
        for (Type b : visit.getTypeParameters()[0].getBounds()) System.out.println("bound " + describe(b));
        System.out.println(describe(visit.getGenericExceptionTypes()[0]) + " " + describe(visit.getGenericParameterTypes()[1]));
        System.out.println(describe(Rec.class.getTypeParameters()[0].getBounds()[0]) + " " + describe(Rec.class.getGenericInterfaces()[0]));
        Method complex = Generics.class.getDeclaredMethod("complex", Object.class, Map[].class);
        System.out.println(complex.toGenericString() + " | " + complex + " | " + describe(complex.getGenericReturnType()));
        Type one = new Token<List<String>>() { }.type, two = new Token<List<String>>() { }.type, three = new Token<List<Integer>>() { }.type;
        System.out.println(one.equals(two) + " " + (one.hashCode() == two.hashCode()) + " " + one.equals(three) + " " + Outer.class.getTypeParameters()[0].equals(Outer.class.getTypeParameters()[0]));
        System.out.println(describe(ArrayList.class.getGenericSuperclass()) + " " + describe(Enum.class.getTypeParameters()[0].getBounds()[0]) + " " + HashMap.class.getMethod("computeIfAbsent", Object.class, Function.class).toGenericString());
        System.out.println(String.class.getTypeParameters().length + " " + Arrays.toString(Integer.class.getGenericInterfaces()));
    }
}
