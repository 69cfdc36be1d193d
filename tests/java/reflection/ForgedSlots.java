import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Reflective objects and strings whose private fields were changed. */
public class ForgedSlots {
    interface Code {
        Object run() throws Throwable;
    }

    static int target(int x) {
        return x + 1;
    }

    static Method fields;

    static Field field(Class<?> c, String name) throws Exception {
        for (Field f : (Field[]) fields.invoke(c, false)) {
            if (f.getName().equals(name)) {
                f.setAccessible(true);
                return f;
            }
        }
        return field(c.getSuperclass(), name);
    }

    static void set(Object o, String name, Object value) throws Exception {
        Field f = field(o.getClass(), name);
        field(Field.class, "modifiers").setInt(f, f.getModifiers() & ~Modifier.FINAL);
        field(Field.class, "trustedFinal").setBoolean(f, false);
        f.set(o, value);
    }

    static Method method(String name, Object value) throws Exception {
        Method m = ForgedSlots.class.getDeclaredMethod("target", int.class);
        set(m, name, value);
        return m;
    }

    static String without(String s) throws Exception {
        String copy = new String(s);
        set(copy, "value", null);
        return copy;
    }

    static void show(Code c) {
        try {
            System.out.println(c.run());
        } catch (InvocationTargetException e) {
            System.out.println("threw " + e.getCause());
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        fields = Class.class.getDeclaredMethod("getDeclaredFields0", boolean.class);
        fields.setAccessible(true);
        for (int slot : new int[] {1_000_000, Integer.MAX_VALUE}) {
            show(() -> method("slot", slot).invoke(null, 3));
            show(() -> MethodHandles.lookup().unreflect(method("slot", slot)));
            show(() -> method("slot", slot).getAnnotatedReturnType().getType());
        }
        for (Class<?> c : new Class<?>[] {int.class, int[].class, Runnable.class}) {
            show(() -> MethodHandles.lookup().unreflect(method("clazz", c)));
        }
        show(() -> method("clazz", Runnable.class).getAnnotatedReturnType().getType());
        show(() -> Class.forName(without("p.C")));
        show(() -> without("text").intern().length());
    }
}
