import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

/** Annotations at run time: all element types, defaults, inheritance, repetition, parameters, types, equality. */
public class Annotations {
    enum Level { LOW, HIGH }
    @Retention(RetentionPolicy.RUNTIME) @interface Inner { int value() default 5; String[] tags() default {}; }
    @Retention(RetentionPolicy.RUNTIME) @Inherited @interface All {
        byte b() default 1; short s() default 2; int i() default 3; long l() default 4; float f() default 5; double d() default 6; char c() default 'c'; boolean z() default true;
        String text() default "text\n"; Class<?> type() default int[].class; Level level() default Level.LOW; Inner inner() default @Inner(9); int[] ints() default {1, 2}; Level[] levels() default {}; Inner[] inners() default {@Inner, @Inner(tags = {"x"})}; Class<?>[] types() default {String.class, void.class};
    }
    @Retention(RetentionPolicy.RUNTIME) @Repeatable(Many.class) @interface One { String value(); }
    @Retention(RetentionPolicy.RUNTIME) @interface Many { One[] value(); }
    @Retention(RetentionPolicy.CLASS) @interface Invisible { }
    @Retention(RetentionPolicy.SOURCE) @interface Gone { }
    @Retention(RetentionPolicy.RUNTIME) @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER}) @interface Use { int value() default 0; }
    @Retention(RetentionPolicy.RUNTIME) @interface Req { int need(); }

    @All(i = 30, text = "changed", level = Level.HIGH, ints = {}, types = {}) @Invisible @Gone @Inner static class Base { }
    static class Child extends Base { @Inner(1) int field; @One("a") @One("b") void repeated() { } @One("single") void single(@Inner(2) int p, @Deprecated String q, int plain) { } @Inner(3) Child() { } }
    static class Typed<@Use(1) T> extends @Use(2) ArrayList<@Use(3) String> { @Use(4) String f; @Use(5) int @Use(6) [] a; <@Use(7) X> @Use(8) X m(@Use(9) X x) throws @Use(10) Exception { return x; } }

    public static void main(String[] args) throws Exception {
        All a = Base.class.getAnnotation(All.class), inherited = Child.class.getAnnotation(All.class);
        System.out.println(a.b() + " " + a.s() + " " + a.i() + " " + a.l() + " " + a.f() + " " + a.d() + " " + a.c() + " " + a.z() + " " + a.text() + " " + a.type() + " " + a.level() + " " + a.inner() + " " + a.ints().length + a.levels().length + a.types().length + " " + Arrays.toString(a.inners()));
        System.out.println(a.equals(inherited) + " " + (a.hashCode() == inherited.hashCode()) + " " + a.annotationType() + " " + Child.class.getDeclaredAnnotations().length + " " + Child.class.getAnnotation(Inner.class) + " " + Base.class.getAnnotations().length + " " + Base.class.isAnnotationPresent(Invisible.class));
        System.out.println(a.toString().startsWith("@Annotations.All(") + " " + a.toString().contains("text=\"changed\"") + " " + a.toString().contains("level=HIGH") + " " + a.toString().contains("ints={}"));
        Method rep = Child.class.getDeclaredMethod("repeated"), single = Child.class.getDeclaredMethod("single", int.class, String.class, int.class);
        System.out.println(rep.getAnnotation(One.class) + " " + rep.getAnnotation(Many.class) + " " + rep.getAnnotationsByType(One.class).length + " " + single.getAnnotationsByType(One.class)[0] + " " + single.getAnnotation(Many.class));
        System.out.println(Arrays.deepToString(single.getParameterAnnotations()) + " " + Child.class.getDeclaredField("field").getAnnotation(Inner.class) + " " + Child.class.getDeclaredConstructor().getAnnotation(Inner.class).value() + " " + single.getParameters()[0].getAnnotation(Inner.class).tags().length);
        Inner[] two = {Child.class.getDeclaredField("field").getAnnotation(Inner.class), All.class.getMethod("inner").getDefaultValue() instanceof Inner i ? i : null};
        System.out.println(two[0].equals(two[1]) + " " + two[1] + " " + All.class.getMethod("d").getDefaultValue() + " " + Req.class.getMethod("need").getDefaultValue());
        System.out.println(Typed.class.getTypeParameters()[0].getAnnotations()[0] + " " + Typed.class.getAnnotatedSuperclass().getAnnotations()[0] + " " + ((AnnotatedParameterizedType) Typed.class.getAnnotatedSuperclass()).getAnnotatedActualTypeArguments()[0].getAnnotation(Use.class).value());
        AnnotatedArrayType arr = (AnnotatedArrayType) Typed.class.getDeclaredField("a").getAnnotatedType();
        Method m = Typed.class.getDeclaredMethod("m", Object.class);
        System.out.println(Typed.class.getDeclaredField("f").getAnnotatedType() + " " + arr.getAnnotation(Use.class) + " " + arr.getAnnotatedGenericComponentType().getAnnotation(Use.class) + " " + m.getAnnotatedReturnType().getAnnotations()[0] + m.getAnnotatedParameterTypes()[0].getAnnotations()[0] + m.getAnnotatedExceptionTypes()[0].getAnnotations()[0] + m.getTypeParameters()[0].getAnnotations()[0]);
        Annotation made = (Annotation) Proxy.newProxyInstance(Annotations.class.getClassLoader(), new Class<?>[] {Inner.class}, (p, mm, as) -> switch (mm.getName()) { case "annotationType" -> Inner.class; case "value" -> 1; case "tags" -> new String[0]; default -> null; });
        System.out.println(two[0].equals(made) + " " + Inner.class.isAnnotation() + " " + Proxy.isProxyClass(two[0].getClass()));
        System.out.println(Thread.class.getMethod("stop").isAnnotationPresent(Deprecated.class) + " " + Thread.class.getMethod("stop").getAnnotation(Deprecated.class) + " " + Runnable.class.getAnnotation(FunctionalInterface.class));
        a.ints();
        int[] copy = Base.class.getAnnotation(All.class).inner().tags().length == 0 ? All.class.getMethod("ints").getDefaultValue() instanceof int[] d ? d : null : null;
        copy[0] = 99;
        System.out.println(((int[]) All.class.getMethod("ints").getDefaultValue())[0]);
    }
}
