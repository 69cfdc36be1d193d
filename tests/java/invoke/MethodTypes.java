import java.lang.invoke.*;
import java.util.*;
import static java.lang.invoke.MethodType.*;

/** MethodType: construction, changes, wrapping, descriptors, identity; lookups into other classes. */
public class MethodTypes {
    private static class Hidden { private int p = 3; private static int sq(int x) { return x * x; } protected String prot() { return "prot"; } }

    public static void main(String[] args) throws Throwable {
        MethodType t = methodType(int.class, String.class, long.class, Object[].class);
        System.out.println(t + " " + t.toMethodDescriptorString() + " " + t.parameterCount() + " " + t.parameterType(1) + " " + t.returnType() + " " + t.lastParameterType().getSimpleName());
        System.out.println(t.changeReturnType(void.class) + " " + t.changeParameterType(0, int[].class) + " " + t.dropParameterTypes(1, 3) + " " + t.appendParameterTypes(char.class) + " " + t.insertParameterTypes(0, byte.class, short.class));
        System.out.println(t.erase() + " " + t.generic() + " " + t.wrap() + " " + t.wrap().unwrap() + " " + t.hasPrimitives() + " " + t.hasWrappers() + " " + genericMethodType(2, true));
        System.out.println((t == methodType(int.class, String.class, new Class<?>[] {long.class, Object[].class})) + " " + t.equals(methodType(int.class)) + " " + (t.hashCode() == methodType(int.class, List.of(String.class, long.class, Object[].class)).hashCode()));
        System.out.println(fromMethodDescriptorString("(ILjava/util/List;[[D)V", null) + " " + t.parameterList());
        for (String bad : new String[] {"", "(", "()", "(V)V", "(Ljava/none/X;)V", "(I)II"}) {
            try {
                System.out.println(fromMethodDescriptorString(bad, null));
            } catch (IllegalArgumentException | TypeNotPresentException e) {
                System.out.println(bad + ": " + e.getClass().getSimpleName());
            }
        }
        try { methodType(int.class, void.class); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try { methodType(int.class, (Class<?>) null); } catch (NullPointerException e) { System.out.println("null type"); }
        try { t.parameterType(5); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        MethodHandles.Lookup l = MethodHandles.lookup();
        System.out.println(l + " " + l.lookupClass().getSimpleName() + " " + l.in(String.class) + " " + MethodHandles.publicLookup().lookupModes() + " " + l.lookupModes() + " " + l.hasFullPrivilegeAccess());
        MethodHandles.Lookup p = MethodHandles.privateLookupIn(Hidden.class, l);
        System.out.println((int) p.findStatic(Hidden.class, "sq", methodType(int.class, int.class)).invokeExact(9) + " " + p.findGetter(Hidden.class, "p", int.class).invoke(new Hidden()) + " " + p.findVirtual(Hidden.class, "prot", methodType(String.class)).invoke(new Hidden()));
        try { MethodHandles.privateLookupIn(String.class, l); } catch (IllegalAccessException e) { System.out.println(e.getMessage().replaceAll("@.*", "")); }
        try { l.findVirtual(String.class, "isLatin1", methodType(boolean.class)); } catch (IllegalAccessException e) { System.out.println("not accessible"); }
        System.out.println(l.findClass("java.util.ArrayList").getSimpleName() + " " + l.accessClass(Hidden.class).getSimpleName());
        MethodHandleInfo info = l.revealDirect(l.findVirtual(String.class, "concat", methodType(String.class, String.class)));
        System.out.println(info + " " + info.getReferenceKind() + " " + MethodHandleInfo.referenceKindToString(info.getReferenceKind()) + " " + java.lang.reflect.Modifier.toString(info.getModifiers()));
        System.out.println(l.findVirtual(String.class, "concat", methodType(String.class, String.class)) + " " + MethodHandles.identity(int.class));
    }
}
