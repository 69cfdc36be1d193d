import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Arrays;
import sun.misc.Unsafe;

/** Tries to put objects where the declared type says otherwise, and numbers over those the VM knows things by. */
public class Confuse {
    static class Above {
        String[] above = {"text"};
    }

    static class Text extends Above {
        Integer boxed = 1;
        int[][] rows = {{2}};
        Comparable<?> any = "text";
        Number number = 1L;
        Object object = "text";
    }

    static String shared = "text";
    static Unsafe u;

    interface Action {
        void run() throws Throwable;
    }

    static void show(String what, Action a) {
        String result = "done";
        try {
            a.run();
        } catch (InternalError e) {
            result = e.getMessage();
        } catch (Throwable e) {
            result = e.getClass().getSimpleName();
        }
        System.out.println(what + ": " + result);
    }

    static long offset(Class<?> c, String name) throws Exception {
        return u.objectFieldOffset(c.getDeclaredField(name));
    }

    static String fine() {
        return "fine";
    }

    /** Writes to all places of an object where numbers may be written. */
    static void trample(Object o) {
        for (long at = 8; at < 400; at += 4) {
            try {
                u.putInt(o, at, 0x12345);
            } catch (InternalError e) {
                // refused
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        u = (Unsafe) f.get(null);
        Text t = new Text();
        long boxed = offset(Text.class, "boxed");
        long rows = offset(Text.class, "rows");
        show("a field", () -> u.putObject(t, boxed, "text"));
        show("a field above", () -> u.putObject(t, offset(Above.class, "above"), new Integer[1]));
        Field s = Confuse.class.getDeclaredField("shared");
        show("a static field", () -> u.putObject(u.staticFieldBase(s), u.staticFieldOffset(s), 7));
        show("an array in a field", () -> u.putObject(t, rows, new long[1][]));
        show("an array of arrays", () -> u.putObject(t, rows, new int[1]));
        show("an exchange", () -> u.compareAndSwapObject(t, boxed, t.boxed, 1L));
        show("an element", () -> u.putObject(new Integer[1], Unsafe.ARRAY_OBJECT_BASE_OFFSET, "text"));
        show("its own class", () -> u.putObject(t, boxed, 1));
        show("a subclass", () -> u.putObject(t, offset(Text.class, "number"), 2.5));
        show("null", () -> u.putObject(t, offset(Text.class, "number"), null));
        show("anything where Object is declared", () -> u.putObject(t, offset(Text.class, "object"), t));
        show("an interface", () -> u.putObject(t, offset(Text.class, "any"), t));

        MethodHandle fine = MethodHandles.lookup().findStatic(Confuse.class, "fine", MethodType.methodType(String.class));
        Class<?> memberName = Class.forName("java.lang.invoke.MemberName");
        Class<?> lambdaForm = Class.forName("java.lang.invoke.LambdaForm");
        Object member = u.getObject(fine, offset(Class.forName("java.lang.invoke.DirectMethodHandle"), "member"));
        long method = offset(memberName, "method");
        Object resolved = u.getObject(member, method);
        show("the method of a name", () -> u.putObject(member, method, null));
        show("a method's holder", () -> {
            for (long at = 8; at < 32; at += 4) {
                u.putObject(resolved, at, null);
            }
        });
        Object form = u.getObject(fine, offset(MethodHandle.class, "form"));
        long vmentry = offset(lambdaForm, "vmentry");
        Object entry = u.getObject(form, vmentry);
        Object blank = u.allocateInstance(memberName);
        show("a blank entry", () -> u.putObject(form, vmentry, blank));
        show("calling it", () -> fine.invoke());
        u.putObject(form, vmentry, entry);

        ClassLoader loader = new ClassLoader() {};
        Class.forName("Confuse", false, loader);
        trample(loader);
        System.out.println("a loader's numbers: " + (Class.forName("Confuse", false, loader) == Confuse.class));
        Module module = loader.getUnnamedModule();
        module.canRead(Object.class.getModule());
        trample(module);
        System.out.println("a module's numbers: " + module.canRead(Object.class.getModule()));
        trample(resolved);
        System.out.println("a method's numbers: " + (String) fine.invokeExact());
        System.out.println("all as it was: " + Arrays.toString(t.above) + " " + t.boxed + " " + Arrays.toString(t.rows[0])
                + " " + (String) fine.invokeExact());
    }
}
