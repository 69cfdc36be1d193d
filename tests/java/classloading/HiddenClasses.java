import java.io.InputStream;
import java.lang.invoke.*;
import java.lang.reflect.*;

/** Hidden classes and Lookup.defineClass: names, nest mates, class data, not found by name. */
public class HiddenClasses {
    private static int secret = 42;

    static class Mate { static int peek() { return secret; } }

    static class WithData { static Object data() throws Throwable { return MethodHandles.classData(MethodHandles.lookup(), "_", Object.class); } }

    static byte[] bytes(String name) throws Exception {
        try (InputStream in = HiddenClasses.class.getResourceAsStream(name + ".class")) { return in.readAllBytes(); }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        byte[] b = bytes("HiddenTemplate");
        MethodHandles.Lookup first = l.defineHiddenClass(b, true), second = l.defineHiddenClass(b, false);
        Class<?> one = first.lookupClass(), two = second.lookupClass();
        System.out.println((one == two) + " " + one.isHidden() + " " + one.getName().matches("HiddenTemplate/0x[0-9a-f]+") + " " + one.getName().equals(two.getName()) + " " + one.getCanonicalName() + " " + one.getTypeName().equals(one.getName()) + " " + (one.getNestHost() == one) + " " + (one.getClassLoader() == HiddenClasses.class.getClassLoader()) + " " + one.getPackageName().isEmpty());
        Runnable r1 = (Runnable) one.getDeclaredConstructor().newInstance(), r2 = (Runnable) two.getDeclaredConstructor().newInstance();
        r1.run();
        r1.run();
        r2.run();
        new HiddenTemplate().run();
        try { Class.forName(one.getName()); } catch (ClassNotFoundException e) { System.out.println("not found by name"); }
        System.out.println(one.isInstance(r1) + " " + one.isInstance(r2) + " " + (r1 instanceof HiddenTemplate) + " " + one.getDeclaredMethods().length + " " + Array.newInstance(one, 2).getClass().isHidden());
        try { one.getDeclaredField("runs").setAccessible(true); System.out.println("field accessible"); } catch (RuntimeException e) { System.out.println(e); }
        Class<?> mate = l.defineHiddenClass(bytes("HiddenClasses$Mate"), true, MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass();
        Method peek = mate.getDeclaredMethod("peek");
        peek.setAccessible(true);
        System.out.println(peek.invoke(null) + " " + (mate.getNestHost() == HiddenClasses.class) + " " + mate.isNestmateOf(HiddenClasses.class));
        Class<?> stranger = l.defineHiddenClass(bytes("HiddenClasses$Mate"), true).lookupClass();
        Method denied = stranger.getDeclaredMethod("peek");
        denied.setAccessible(true);
        try { denied.invoke(null); } catch (InvocationTargetException e) { System.out.println(e.getCause().getClass().getSimpleName()); }
        Class<?> data = l.defineHiddenClassWithClassData(bytes("HiddenClasses$WithData"), java.util.List.of("a", 2), true, MethodHandles.Lookup.ClassOption.STRONG).lookupClass();
        Method m = data.getDeclaredMethod("data");
        m.setAccessible(true);
        System.out.println(m.invoke(null));
        MethodHandle h = first.findVirtual(one, "run", MethodType.methodType(void.class));
        h.invoke(r1);
        try { l.defineClass(b); } catch (LinkageError e) { System.out.println("already there: " + e.getMessage().startsWith("loader 'app' attempted duplicate class definition for HiddenTemplate")); }
        try { l.defineHiddenClass(new byte[10], true); } catch (ClassFormatError e) { System.out.println(e.getMessage()); }
        try { MethodHandles.publicLookup().defineHiddenClass(b, true); } catch (IllegalAccessException e) { System.out.println("needs full access"); }
        try { throw new Thrower(l).make(); } catch (RuntimeException e) { System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getClassName().equals("HiddenClasses$Thrower")); }
    }

    static class Thrower { Thrower(MethodHandles.Lookup l) { } RuntimeException make() { return new RuntimeException("made"); } }
}

class HiddenTemplate implements Runnable {
    int runs;
    static int created;
    public HiddenTemplate() { created++; }
    public void run() { runs++; System.out.println("run " + runs + " created " + created + " hidden " + getClass().isHidden() + " " + this.getClass().getSimpleName().startsWith("HiddenTemplate/")); }
}
